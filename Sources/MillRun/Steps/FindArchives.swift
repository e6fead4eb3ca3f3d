internal import MillConfiguration
internal import MillSystem

/// What an entry of the pipeline file finds.
struct SearchedSource {
    let source: ArchiveSource
    let faults: [MillError]
    let paths: [String]
    /// Folders that match the entry's pattern, and are passed over.
    let folders: [String]

    /// Searches by all entries. Files in the folders to which an entry moves its files are left out.
    static func all(of sources: [ArchiveSource]) -> [SearchedSource] {
        let moved = Set(sources.flatMap(\.realFoldersOfMoved))
        return sources.map { source in
            SearchedSource(
                source: source, faults: source.searchFaults(), paths: source.paths(outside: moved),
                folders: source.folders(outside: moved))
        }
    }
}

/// Finds archives by the entries of the pipeline file.
struct FindArchives: PlannedStep {
    let sources: [ArchiveSource]

    func run(in context: RunContext) throws(MillError) {
        let found = SearchedSource.all(of: sources)
        for files in found { context.archives += files.paths.map { FoundArchive(path: $0, source: files.source) } }
        let unfit = try Preflight(context).unfit(context.archives.map(\.path))
        let paths = Set(unfit.compactMap(\.path))
        if !paths.isEmpty { context.archives.removeAll { paths.contains($0.path) } }
        context.fail(found.flatMap(\.faults) + unfit, .search) { "archive \($0.path ?? "")" }
        for folder in found.flatMap(\.folders) {
            try context.act(.search, as: "folder \(folder): matches a pattern, and is passed over") {
                context.report(.passedOver(folder: folder))
            }
        }
        for files in found where files.faults.isEmpty && files.paths.isEmpty {
            try context.act(.absence, as: "archive \(files.source.path): nothing there") {}
        }
    }
}

/// Adds the archives that a person has named to the run.
struct NameArchives: RunStep {
    let paths: [String]

    func run(in context: RunContext) { context.archives = paths.map { FoundArchive(path: $0) } }
}
