package import GRDB
internal import MillDatabase

/// What a database contains, as far as it decides which command to suggest next.
package struct StoredFacts: Sendable, Hashable {
    /// Whether models include all present rows.
    package var hasCurrentModels = true
    /// Whether settings of any app are stored.
    package var hasAppSettings = false
    /// Production apps with trusted documents but without stored settings, sorted by name.
    package var unknownApps: [String] = []
    /// Whether there are paid subscriptions whose price is stated by signed data or a price list.
    package var hasPricedSubscriptions = false
    /// Whether there are owners of an app with a stored first free version.
    package var hasOwnersByEra = false

    package init() {}

    /// Queries the models. Each query uses an index or a table of few rows, so a database of any size answers at once.
    package init(_ db: Database) throws {
        hasCurrentModels = try ModelState(db)?.isCurrent ?? false
        hasAppSettings = try Self.exists("SELECT 1 FROM app_setting", db)
        guard hasCurrentModels else { return }
        unknownApps = try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT bundle_id FROM model_apps
                WHERE environment = 'Production' AND bundle_id <> ''
                    AND bundle_id NOT IN (SELECT bundle_id FROM app_setting)
                ORDER BY bundle_id LIMIT \(Self.maximumApps)
                """)
        hasPricedSubscriptions = try Self.exists(
            """
            SELECT 1 FROM model_apps JOIN model_movements ON model_movements.app_id = model_apps.app_id
            WHERE model_apps.environment = 'Production' AND model_movements.price_source <> 'none'
                AND model_movements.month_number <= model_apps.complete_month
            """, db)
        hasOwnersByEra = try Self.exists(
            """
            SELECT 1 FROM app_setting JOIN model_apps ON model_apps.bundle_id = app_setting.bundle_id
            JOIN model_owner_counts ON model_owner_counts.app_id = model_apps.app_id
            WHERE model_apps.environment = 'Production' AND app_setting.first_free_version IS NOT NULL
            """, db)
    }

    /// More apps than anybody would name in one command.
    private static let maximumApps = 100

    private static func exists(_ select: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (\(select))") ?? false
    }
}
