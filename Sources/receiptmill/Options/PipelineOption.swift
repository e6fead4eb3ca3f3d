internal import ArgumentParser
internal import Foundation
internal import MillConfiguration
internal import MillSystem
internal import ReceiptVerification

// `--pipeline FILE`: settings of a load by hand that are those of the nights.

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
    /// The settings of a pipeline file, or those that count without one.
    ///
    /// - Throws: ``MillError`` with line and key of the first fault of the file.
    init(namedIfAny path: String?) throws(MillError) {
        if let path {
            try self.init(path: path, environment: ProcessInfo.processInfo.environment)
        } else {
            self.init()
        }
    }

    /// Replaces the apps by those that the command line names, where there are any.
    mutating func set(_ settings: [AppSetting]) {
        guard !settings.isEmpty else { return }
        apps = settings.map { setting in
            var app = AppSection()
            (app.bundle, app.platform, app.firstFreeVersion) = (
                setting.bundleID, setting.platform, setting.firstFreeVersion
            )
            return app
        }
    }
}
