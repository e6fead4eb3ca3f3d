internal import Foundation
internal import GRDB
package import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification

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
}
