internal import Foundation
package import GRDB
package import MillDatabase
package import MillSystem
internal import ReceiptFormat
package import ReceiptVerification

extension LoadDatabase {
    /// Stores settings of apps; those stored before and not given now stay.
    package func save(_ apps: [AppSetting]) throws(MillError) {
        guard !apps.isEmpty else { return }
        try changeSettings(["app_setting"]) { db in
            for app in apps {
                try db.execute(
                    sql: """
                        INSERT INTO app_setting (bundle_id, platform, first_free_version, first_free_version_key)
                        VALUES (?, ?, ?, ?)
                        ON CONFLICT (bundle_id) DO UPDATE SET
                            platform = coalesce(excluded.platform, platform),
                            first_free_version = coalesce(excluded.first_free_version, first_free_version),
                            first_free_version_key = coalesce(excluded.first_free_version_key, first_free_version_key)
                        """,
                    arguments: [
                        app.bundleID, app.platform?.rawValue, app.firstFreeVersion,
                        app.firstFreeVersion.map { VersionKey.key(DocumentText($0)).string },
                    ])
            }
        }
    }

    /// Stores the time zone by which models tell days.
    package func save(timeZone: LocalCalendar) throws(MillError) {
        try changeSettings(["setting"]) { try timeZone.store($0) }
    }

    /// Stores a price list in place of the one stored.
    package func save(_ prices: [ListedPrice]) throws(MillError) {
        try changeSettings(["listed_price"]) { try ListedPrice.replace(with: prices, $0) }
    }

    /// Whether the models found a product of the database in the price list.
    package func pricesAnyProduct() throws(MillError) -> Bool {
        try access { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM model_listed_prices)") ?? false
        }
    }

    /// Changes what a user has set, and notes it if that makes a difference.
    package func changeSettings(_ tables: [String], _ change: (Database) throws -> Void) throws(MillError) {
        try access { db in
            let stored = { try tables.map { try Row.fetchAll(db, sql: "SELECT * FROM \($0) ORDER BY 1, 2") } }
            try db.inTransaction(.immediate) {
                let former = try stored()
                try change(db)
                if try stored() != former { try ModelState.noteChange(db) }
                return .commit
            }
        }
    }
}
