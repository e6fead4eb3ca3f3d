internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// What a pipeline file sets in the database.
extension LoadDatabase {
    /// Stores the versions that were released of apps, in place of those stored.
    func saveExpectedVersions(_ apps: [(bundle: String, versions: [String])]) throws(MillError) {
        try changeSettings(["app_expected_version"]) { db in
            for app in apps {
                try db.execute(sql: "DELETE FROM app_expected_version WHERE bundle_id = ?", arguments: [app.bundle])
                for version in Set(app.versions) {
                    try db.execute(
                        sql: "INSERT INTO app_expected_version (bundle_id, version) VALUES (?, ?)",
                        arguments: [app.bundle, version])
                }
            }
        }
    }

    /// Stores thresholds of signals in place of those stored.
    func save(_ thresholds: SignalThresholds) throws(MillError) {
        try changeSettings(["signal_setting"]) { db in
            try db.execute(sql: "DELETE FROM signal_setting")
            for (name, value) in thresholds.values {
                try db.execute(
                    sql: "INSERT INTO signal_setting (name, value) VALUES (?, ?)", arguments: [name, value])
            }
        }
    }
}
