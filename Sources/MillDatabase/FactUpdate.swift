internal import GRDB
internal import ReceiptSQL

/// Brings facts up to date by the rows that are connected with what a load changed.
///
/// Their definitions are asked twice, each time of a small database of temporary tables: of
/// the connected rows as they are, and as they were before the load. The difference is what
/// the tables of facts have to change by.
struct FactUpdate {
    private let facts: [Fact]
    private let db: Database

    /// Memory for pages of temporary tables, in KiB: those of a night are read several times.
    private static let cacheKibibytes = 32 << 10

    /// Facts that sums are worked out of, sums included.
    private var neededBefore: Set<String> {
        facts.reduce(into: []) { needed, fact in
            if case .sums = fact.upkeep { needed.formUnion(fact.sources.union([fact.name])) }
        }
    }

    /// Within a transaction, which is to be rolled back where this fails or is stopped.
    ///
    /// - Parameter facts: whose tables hold what their definitions gave before what ``FactWatch`` noted.
    /// - Returns: those that were brought up to date; nil where so much changed that working all out whole is cheaper,
    ///   or the work was stopped.
    static func run(_ facts: [Fact], _ db: Database, isStopped: () -> Bool) throws -> [Fact]? {
        try db.execute(sql: "PRAGMA temp.cache_size = -\(cacheKibibytes)")
        guard try ConnectedRows.find(db), !isStopped() else { return nil }
        try ConnectedRows.hide(db)
        let views = SQLFile.files(in: "views").filter { file in !Fact.all.contains { $0.name == file.name } }
        for view in views {
            try db.execute(sql: view.text.replacing("CREATE VIEW", with: "CREATE TEMP VIEW", maxReplacements: 1))
        }
        var update = FactUpdate(facts: facts, db: db)
        try update.workOut(.after)
        guard !isStopped() else { return nil }
        update = FactUpdate(facts: try update.withoutOutdated(), db: db)
        for fact in update.facts { try update.apply(fact) }
        try update.forget()
        try ConnectedRows.restore(db)
        try update.workOut(.before)
        guard !isStopped() else { return nil }
        for fact in update.facts { try update.subtract(fact) }
        try update.forget()
        for view in views { try db.execute(sql: "DROP VIEW temp.\(view.name)") }
        try ConnectedRows.drop(db)
        return update.facts
    }

    private enum Side { case before, after }

    /// The facts without those whose other rows change, too: a row of a greatest is there for the first time.
    private func withoutOutdated() throws -> [Fact] {
        let grown = try facts.filter { fact in
            guard case .greatest(let columns) = fact.upkeep else { return false }
            let keys = try keys(of: fact, but: columns).joined(separator: ", ")
            return try Row.fetchOne(
                db, sql: "SELECT \(keys) FROM temp.\(fact.name) EXCEPT SELECT \(keys) FROM main.\(fact.table)") != nil
        }.map(\.name)
        return facts.filter { fact in
            if case .rows = fact.upkeep { fact.sources.isDisjoint(with: grown) } else { true }
        }
    }

    /// Works out facts of the small database, into temporary tables that hide the views. A greatest is that of the
    /// whole, as are steady rows, which are those from before the load.
    private func workOut(_ side: Side) throws {
        let needed = side == .after ? Set(facts.map(\.name)) : neededBefore
        for fact in Fact.all {
            if case .steady = fact.upkeep {
                try db.execute(sql: "CREATE TEMP VIEW \(fact.name) AS SELECT * FROM main.\(fact.table)")
                continue
            }
            let isTable = needed.contains(fact.name)
            let view = isTable ? "facts_definition" : fact.name
            try db.execute(sql: "CREATE TEMP VIEW \(view) AS\n\(fact.select)")
            guard isTable else { continue }
            try fact.createTable("temp.\(fact.name)", of: "temp.\(view)", db)
            try db.execute(sql: "DROP VIEW temp.\(view)")
            if case .greatest(let columns) = fact.upkeep { try widen(fact, columns, side) }
        }
    }

    /// Makes the rows of a greatest those of the whole.
    private func widen(_ fact: Fact, _ columns: [String], _ side: Side) throws {
        let keys = try keys(of: fact, but: columns).joined(separator: ", ")
        let rows = side == .after ? "SELECT * FROM temp.\(fact.name) UNION ALL " : ""
        try db.execute(
            sql: """
                CREATE TEMP TABLE facts_greatest AS
                SELECT \(keys), \(columns.map { "max(\($0)) AS \($0)" }.joined(separator: ", "))
                FROM (\(rows)SELECT * FROM main.\(fact.table)) AS known
                GROUP BY \(keys);
                DELETE FROM temp.\(fact.name);
                INSERT INTO temp.\(fact.name) (\(keys), \(columns.joined(separator: ", ")))
                SELECT * FROM temp.facts_greatest;
                DROP TABLE temp.facts_greatest;
                """)
    }

    private func forget() throws {
        let objects = try Row.fetchAll(
            db, sql: "SELECT type, name FROM temp.sqlite_schema WHERE type IN ('table', 'view')")
        let names = Set(Fact.all.map(\.name))
        for object in objects where names.contains(object["name"]) {
            try db.execute(sql: "DROP \(object["type"] as String) temp.\(object["name"] as String)")
        }
    }

    // MARK: One fact

    private func apply(_ fact: Fact) throws {
        switch fact.upkeep {
        case .whole, .steady: break
        case .rows(let condition):
            try db.execute(
                sql: """
                    DELETE FROM main.\(fact.table) WHERE \(condition);
                    INSERT INTO main.\(fact.table) SELECT * FROM temp.\(fact.name);
                    """)
        case .sums, .greatest:
            try db.execute(sql: "CREATE TEMP TABLE facts_after_\(fact.name) AS SELECT * FROM temp.\(fact.name)")
        }
    }

    /// Adds to sums what the connected rows give more than before, and takes the greatest.
    private func subtract(_ fact: Fact) throws {
        if case .greatest = fact.upkeep {
            try db.execute(
                sql: """
                    DELETE FROM main.\(fact.table);
                    INSERT INTO main.\(fact.table) SELECT * FROM temp.facts_after_\(fact.name);
                    DROP TABLE temp.facts_after_\(fact.name);
                    """)
        }
        guard case .sums(let columns) = fact.upkeep else { return }
        let keys = try keys(of: fact, but: columns)
        let list = keys.joined(separator: ", ")
        let isSame = keys.map { "more.\($0) IS stored.\($0)" }.joined(separator: " AND ")
        let negative = columns.map { "-\($0)" }.joined(separator: ", ")
        let sums = columns.joined(separator: ", ")
        try db.execute(
            sql: """
                CREATE TEMP TABLE facts_more AS
                SELECT \(list), \(columns.map { "sum(\($0)) AS \($0)" }.joined(separator: ", "))
                FROM (
                    SELECT \(list), \(sums) FROM temp.facts_after_\(fact.name)
                    UNION ALL
                    SELECT \(list), \(negative) FROM temp.\(fact.name)
                ) AS changed
                GROUP BY \(list)
                HAVING \(columns.map { "sum(\($0)) <> 0" }.joined(separator: " OR "));
                CREATE INDEX temp.facts_more_by_key ON facts_more (\(list));
                CREATE TEMP TABLE facts_met AS
                SELECT stored.rowid AS id, more.rowid AS more_id
                FROM main.\(fact.table) AS stored
                CROSS JOIN temp.facts_more AS more ON \(isSame);
                UPDATE main.\(fact.table) AS stored
                SET \(columns.map { "\($0) = stored.\($0) + more.\($0)" }.joined(separator: ", "))
                FROM temp.facts_met AS met CROSS JOIN temp.facts_more AS more ON more.rowid = met.more_id
                WHERE stored.rowid = met.id;
                DELETE FROM main.\(fact.table)
                WHERE rowid IN (SELECT id FROM temp.facts_met) AND \(columns[0]) = 0;
                INSERT INTO main.\(fact.table) (\(list), \(sums))
                SELECT \(list), \(sums) FROM temp.facts_more
                WHERE rowid NOT IN (SELECT more_id FROM temp.facts_met);
                DROP TABLE temp.facts_met;
                DROP TABLE temp.facts_more;
                DROP TABLE temp.facts_after_\(fact.name);
                """)
    }

    private func keys(of fact: Fact, but columns: [String]) throws -> [String] {
        try db.columnNames(of: fact.table).filter { !columns.contains($0) }
    }
}
