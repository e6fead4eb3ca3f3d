package import GRDB
internal import MillDatabase

/// What a database holds, as far as the command that comes next depends on it.
package struct StoredFacts: Sendable, Hashable {
    /// Whether models are those of the present rows.
    package var hasCurrentModels = true
    /// Whether any app was set.
    package var hasAppSettings = false
    /// Apps of Production with trusted documents that were not set, in the order of their names.
    package var unknownApps: [String] = []
    /// Whether there are paid subscriptions of which signed data or a price list states the price.
    package var hasPricedSubscriptions = false
    /// Whether there are owners of an app whose first free version was set.
    package var hasOwnersByEra = false

    package init() {}

    /// Looks into the models, each question by an index or a table of few rows: a database of any size answers at once.
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

    /// More apps than anybody names in one command.
    private static let maximumApps = 100

    private static func exists(_ select: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (\(select))") ?? false
    }
}
