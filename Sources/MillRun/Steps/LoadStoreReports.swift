internal import MillConfiguration
internal import MillSystem
internal import StoreLoading

/// Loads the store's report files that the pipeline file names. Files stay where they are, and known ones are passed
/// over.
struct LoadStoreReports: RunStep {
    let sources: [ArchiveSource]

    func run(in context: RunContext) throws(MillError) {
        let loader = loader(context)
        for source in sources {
            for fault in source.searchFaults() { context.fail(fault) }
            for folder in source.folders() { context.report(.passedOver(folder: folder)) }
            for path in source.paths() where !context.mustStop() {
                do throws(MillError) {
                    let file = try loader.load(path, isFound: source.isPattern)
                    context.summary.reportFiles.add(file)
                    if file.knownAs == nil { context.report(.loaded(file)) }
                } catch {
                    guard error.databaseFault == nil else { throw error }
                    if !context.mustStop() { context.fail(error) }
                }
            }
        }
    }

    func plan(in context: RunContext) throws(MillError) {
        let loader = loader(context)
        for source in sources {
            for fault in source.searchFaults() {
                context.plan.add("report file \(fault.path ?? "")", to: .storeReports, unless: fault)
            }
            for path in source.paths() {
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

    private func loader(_ context: RunContext) -> ReportFileLoader {
        ReportFileLoader(context.database, limits: context.configuration.limits, stop: context.stop) {
            context.report(.oddReportFile($0))
        }
    }
}
