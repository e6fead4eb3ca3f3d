internal import MillConfiguration
internal import MillSystem
internal import StoreLoading

/// Loads the App Store report files that the pipeline file names. Known files are skipped. Files are not moved, except
/// damaged files and files that are not reports, for which an entry may name a folder.
struct LoadStoreReports: RunStep {
    let sources: [ArchiveSource]

    func run(in context: RunContext) throws(MillError) {
        let loader = loader(context)
        let newest = try loader.newestFile()
        for source in sources {
            for fault in source.searchFaults() { context.fail(fault) }
            for folder in source.folders(outside: foldersOfMoved) { context.report(.passedOver(folder: folder)) }
            for path in source.paths(outside: foldersOfMoved) where !context.mustStop() {
                let stamp = FileStamp(path: path)
                do throws(MillError) {
                    let file = try loader.load(path, isFound: source.isPattern)
                    context.summary.reportFiles.add(file)
                    if file.knownAs == nil || !file.replaced.isEmpty { context.report(.loaded(file)) }
                } catch {
                    guard error.databaseFault == nil else { throw error }
                    guard !context.mustStop() else { continue }
                    if error.exitStatus == .badData, let stamp, let folder = source.quarantine {
                        context.summary.damagedReports.append(
                            DamagedReport(file: DamagedArchive(path: path, stamp: stamp), folder: folder))
                    }
                    context.fail(error)
                }
            }
        }
        try loader.warnOfOverlaps(loadedAfter: newest)
    }

    func plan(in context: RunContext) throws(MillError) {
        let loader = loader(context)
        for source in sources {
            for fault in source.searchFaults() {
                context.plan.add("report file \(fault.path ?? "")", to: .storeReports, unless: fault)
            }
            for path in source.paths(outside: foldersOfMoved) {
                do throws(MillError) {
                    let file = try loader.examine(path, isFound: source.isPattern)
                    let fate = file.knownAs == nil ? "load, \(file.report)" : "loaded before"
                    context.plan.add("report file \(path): \(fate)", to: .storeReports)
                } catch {
                    context.plan.add("report file \(path)", to: .storeReports, unless: error)
                }
            }
        }
    }

    /// Real paths of the folders to which damaged files are moved.
    private var foldersOfMoved: Set<String> { Set(sources.flatMap(\.realFoldersOfMoved)) }

    private func loader(_ context: RunContext) -> ReportFileLoader {
        ReportFileLoader(context.database, limits: context.configuration.limits, stop: context.stop) {
            context.report(.oddReportFile($0))
        }
    }
}
