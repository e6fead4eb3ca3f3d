internal import Foundation
internal import GRDB
internal import ReceiptTrust

extension Warehouse {
    /// How far an archive was loaded.
    struct ArchiveState {
        let name: String
        /// Lines settled.
        let lines: Int64
        let isComplete: Bool
    }

    /// What earlier runs made of an archive; nil where it is new.
    func state(of identity: ArchiveIdentity) throws(MillError) -> ArchiveState? {
        try access { db in
            try Row.fetchOne(
                db, sql: "SELECT name, lines, complete FROM archive WHERE sha256 = ?",
                arguments: [Data(identity.sha256.bytes)]
            ).map { ArchiveState(name: $0[0], lines: $0[1], isComplete: $0[2]) }
        }
    }

    /// Whether no receipt has been loaded yet.
    func isEmpty() throws(MillError) -> Bool {
        try access { db in try Row.fetchOne(db, sql: "SELECT 1 FROM receipt LIMIT 1") == nil }
    }

    /// Stores what the user says of apps; what was said before and not now stays.
    func save(_ apps: [AppSetting]) throws(MillError) {
        guard !apps.isEmpty else { return }
        try access { db in
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
                        app.firstFreeVersion.map(VersionKey.key),
                    ])
            }
        }
    }
}
