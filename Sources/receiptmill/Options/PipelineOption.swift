internal import ArgumentParser
internal import Foundation
internal import MillConfiguration
internal import MillSystem

// `--pipeline FILE`: the pipeline file whose settings a manual load uses, so that it loads as the nightly run does.

extension ArgumentHelp {
    static let pipeline = everyday(
        "Take the settings of this pipeline file; an option that is given, too, goes before the file's.",
        details: "Taken are database, create, lines, trust, apps (but their versions), jobs, limits, keep_receipts, "
            + "pseudonym_key, and dead_letters where the database is the file's. What is left is receiptmill run's alone: archives and what "
            + "becomes of them, store_reports, reports, dashboard, alarms, metrics, retention_days, and settings that are "
            + "kept in the database.",
        valueName: "file")
}

extension Pipeline {
    /// The settings of a pipeline file, or the defaults if no file is named.
    ///
    /// - Throws: ``MillError`` with the line and key of the file's first fault.
    init(namedIfAny path: String?) throws(MillError) {
        if let path {
            try self.init(path: path, environment: ProcessInfo.processInfo.environment)
        } else {
            self.init()
        }
    }
}
