internal import MillConfiguration
internal import MillSystem

/// Finds archives by the entries of the pipeline file.
struct FindArchives: RunStep {
    let sources: [ArchiveSource]

    func run(in context: RunContext) throws(MillError) {
        for fault in try find(context) { context.fail(fault) }
        for folder in passedOver() { context.report(.passedOver(folder: folder)) }
    }

    func plan(in context: RunContext) throws(MillError) {
        for fault in try find(context) { context.plan.add("archive \(fault.path ?? "")", to: .search, unless: fault) }
        for folder in passedOver() {
            context.plan.add("folder \(folder): matches a pattern, and is passed over", to: .search)
        }
        for source in sources where source.searchFaults().isEmpty && source.paths(outside: foldersOfMoved).isEmpty {
            context.plan.add("archive \(source.path): nothing there", to: .absence)
        }
    }

    /// Adds the archives that can be loaded to the run's archives.
    ///
    /// - Returns: the faults of archives that are not found or can't be loaded.
    private func find(_ context: RunContext) throws(MillError) -> [MillError] {
        for source in sources {
            context.archives += source.paths(outside: foldersOfMoved).map { FoundArchive(path: $0, source: source) }
        }
        let unfit = try Preflight(context).unfit(context.archives.map(\.path))
        let paths = Set(unfit.compactMap(\.path))
        if !paths.isEmpty { context.archives.removeAll { paths.contains($0.path) } }
        return sources.flatMap { $0.searchFaults() } + unfit
    }

    /// Folders that match a pattern for archives.
    private func passedOver() -> [String] { sources.flatMap { $0.folders(outside: foldersOfMoved) } }

    /// Real paths of the folders to which archives are moved.
    private var foldersOfMoved: Set<String> { Set(sources.flatMap(\.realFoldersOfMoved)) }
}

/// Adds the archives that a person has named to the run.
struct NameArchives: RunStep {
    let paths: [String]

    func run(in context: RunContext) { context.archives = paths.map { FoundArchive(path: $0) } }
}
