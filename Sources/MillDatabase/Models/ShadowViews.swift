internal import GRDB

/// Temporary views that hide views of the database. The hidden views would read the database's own tables even if
/// temporary tables hide these.
struct ShadowViews {
    private let db: Database
    private var names: [String] = []

    init(_ db: Database) { self.db = db }

    /// Hides the views that models read, directly or through other views, and that read hidden tables.
    mutating func make(readBy models: [Model], over hidden: Set<String>) throws {
        for name in Set(models.flatMap(\.allSources)).sorted() {
            guard let view = ModelCatalog.views[name], ModelCatalog.isRead(by: view, hidden.contains) else { continue }
            guard let range = view.firstRange(of: "CREATE VIEW ") else { continue }
            try db.execute(sql: "CREATE TEMP VIEW " + view[range.upperBound...])
            names.append(name)
        }
    }

    func drop() throws {
        for name in names { try db.execute(sql: "DROP VIEW IF EXISTS temp.\(name)") }
    }
}
