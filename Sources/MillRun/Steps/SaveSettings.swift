internal import DatabaseCare
internal import GRDB
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// Stores what a pipeline file sets in the database.
struct SaveSettings: RunStep {
    let pipeline: Pipeline

    func run(in context: RunContext) throws(MillError) {
        let database = context.database
        try saveExpectedVersions(database)
        if let thresholds = pipeline.signals { try save(thresholds, database) }
        if let fraud = pipeline.fraud {
            try database.save(fraud.allowed, under: context.configuration.pseudonyms)
        }
        if let zone = pipeline.timeZone { try database.save(timeZone: zone) }
        if let prices = pipeline.prices { try database.save(try PriceList.listed(inFile: prices)) }
    }

    /// Stores the versions that were released of apps, in place of those stored.
    private func saveExpectedVersions(_ database: LoadDatabase) throws(MillError) {
        try database.changeSettings(["app_expected_version"]) { db in
            for app in pipeline.apps {
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
    private func save(_ thresholds: SignalThresholds, _ database: LoadDatabase) throws(MillError) {
        try database.changeSettings(["signal_setting"]) { db in
            try db.execute(sql: "DELETE FROM signal_setting")
            for (name, value) in thresholds.values {
                try db.execute(
                    sql: "INSERT INTO signal_setting (name, value) VALUES (?, ?)", arguments: [name, value])
            }
        }
    }
}
