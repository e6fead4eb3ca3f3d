internal import MillConfiguration
internal import MillSystem
internal import StoreLoading

/// Loads the App Store report files that the pipeline file names. Known files are skipped. Files are not moved, except
/// damaged files and files that are not reports, for which an entry may name a folder.
struct LoadStoreReports: PlannedStep {
    let sources: [ArchiveSource]

    func run(in context: RunContext) throws(MillError) {
        let loader = ReportFileLoader(context.database, limits: context.configuration.limits, stop: context.stop) {
            context.report(.oddReportFile($0))
        }
        let newest = context.isDryRun ? 0 : try loader.newestFile()
        for files in SearchedSource.all(of: sources) {
            context.fail(files.faults, .storeReports) { "report file \($0.path ?? "")" }
            for folder in files.folders { context.report(.passedOver(folder: folder)) }
            for path in files.paths {
                func examine() throws(MillError) -> String {
                    let file = try loader.examine(path, isFound: files.source.isPattern)
                    return file.knownAs == nil ? ": load, \(file.report)" : ": loaded before"
                }
                try context.act(.storeReports, as: "report file \(path)", check: examine) { () throws(MillError) in
                    try load(path, of: files.source, loader, context)
                }
            }
        }
        if !context.isDryRun { try loader.warnOfOverlaps(loadedAfter: newest) }
    }

    /// Loads one file. If it is damaged or no report, the other files are still loaded.
    private func load(
        _ path: String, of source: ArchiveSource, _ loader: ReportFileLoader, _ context: RunContext
    ) throws(MillError) {
        guard !context.mustStop() else { return }
        let stamp = FileStamp(path: path)
        do throws(MillError) {
            let file = try loader.load(path, isFound: source.isPattern)
            context.summary.reportFiles.add(file)
            if file.knownAs == nil || !file.replaced.isEmpty { context.report(.loaded(file)) }
        } catch {
            guard error.databaseFault == nil else { throw error }
            guard !context.mustStop() else { return }
            if error.exitStatus == .badData, let stamp, let folder = source.quarantine {
                context.summary.damaged.append(DamagedFile(path: path, stamp: stamp, folder: folder))
            }
            context.fail(error)
        }
    }
}
