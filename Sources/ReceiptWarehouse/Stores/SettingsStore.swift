internal import Foundation
internal import GRDB
package import MillDatabase
package import MillSystem
internal import ReceiptFormat
package import ReceiptVerification

/// The settings that a user stores in the database, by a pipeline file or by options.
package struct SettingsStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// Stores settings of apps. Stored settings that are not given are kept.
    package func save(_ apps: [AppSetting]) throws(MillError) {
        guard !apps.isEmpty else { return }
        try change(["app_setting"]) { db in
            for app in apps { try Self.save(app, db) }
        }
    }

    /// An app has either one setting for all platforms or settings for single platforms. A new setting for one platform
    /// replaces the setting for all. A new setting for all replaces those for single platforms, unless it states only
    /// the app.
    private static func save(_ app: AppSetting, _ db: Database) throws {
        let version = app.firstFreeVersion.map { (text: $0, key: VersionKey.key(DocumentText($0)).string) }
        let hasSetting = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM app_setting WHERE bundle_id = ?)", arguments: [app.bundleID])
        if app.platform == nil, version == nil, hasSetting == true { return }
        let platform = app.platform?.rawValue ?? ""
        try db.execute(
            sql: """
                INSERT INTO app_setting (bundle_id, platform, first_free_version, first_free_version_key)
                SELECT ?1, ?2, coalesce(?3, former.first_free_version), coalesce(?4, former.first_free_version_key)
                FROM (SELECT 1) LEFT JOIN app_setting AS former ON former.bundle_id = ?1 AND former.platform = ''
                WHERE true
                ON CONFLICT (bundle_id, platform) DO UPDATE SET
                    first_free_version = coalesce(?3, first_free_version),
                    first_free_version_key = coalesce(?4, first_free_version_key)
                """, arguments: [app.bundleID, platform, version?.text, version?.key])
        try db.execute(
            sql: "DELETE FROM app_setting WHERE bundle_id = ?1 AND platform <> ?2 AND (platform = '' OR ?2 = '')",
            arguments: [app.bundleID, platform])
    }

    /// Stores the released versions of apps, and replaces those stored before.
    package func saveExpectedVersions(_ apps: [(bundle: String, versions: [String])]) throws(MillError) {
        try change(["app_expected_version"]) { db in
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

    /// Stores thresholds of signals, and replaces those stored before.
    package func save(_ thresholds: SignalThresholds) throws(MillError) {
        try change(["signal_setting"]) { db in
            try db.execute(sql: "DELETE FROM signal_setting")
            for (name, value) in thresholds.values {
                try db.execute(
                    sql: "INSERT INTO signal_setting (name, value) VALUES (?, ?)", arguments: [name, value])
            }
        }
    }

    /// Stores the time zone in which models count days.
    package func save(timeZone: LocalCalendar) throws(MillError) {
        try change(["setting"]) { try timeZone.store($0) }
    }

    /// Stores a price list, and replaces the one stored before.
    package func save(_ prices: [ListedPrice]) throws(MillError) {
        try change(["listed_price"]) { try ListedPrice.replace(with: prices, $0) }
    }

    /// Stores a rate card, and replaces the one stored before. No model depends on it.
    package func save(_ card: RateCard) throws(MillError) {
        try warehouse.transaction { try card.replace($0) }
    }

    /// Stores exchange rates, and replaces those stored before. No model depends on them.
    package func save(_ rates: DailyRates) throws(MillError) {
        try warehouse.transaction { try rates.replace($0) }
    }

    /// Stores the subjects that are exempt from fraud cases, and replaces those stored before.
    package func saveAllowed(_ subjects: [(kind: String, subject: String)]) throws(MillError) {
        try warehouse.transaction { db in
            try db.execute(sql: "DELETE FROM allowed_subject")
            for (kind, subject) in subjects {
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO allowed_subject (subject_kind, subject)
                        SELECT ?1, CASE WHEN ?1 = 'device' AND length(?2) NOT IN (8, 22, 24)
                            THEN lower(replace(replace(replace(?2, '-', ''), ':', ''), '.', '')) ELSE ?2 END
                        """, arguments: [kind, subject])
            }
        }
    }

    /// Changes settings, and invalidates the models if any row has changed.
    private func change(_ tables: [String], _ change: (Database) throws -> Void) throws(MillError) {
        try warehouse.transaction { db in
            let stored = { try tables.map { try Row.fetchAll(db, sql: "SELECT * FROM \($0) ORDER BY 1, 2") } }
            let former = try stored()
            try change(db)
            if try stored() != former { try ModelState.noteChange(.settings, db) }
        }
    }
}
