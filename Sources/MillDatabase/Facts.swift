package import GRDB
internal import ReceiptSQL

/// Keeps the rows of facts, and lets go of them before what they are worked out of changes.
package enum Facts {
    /// Lets the views of facts work out their rows again. To be called in each transaction that
    /// changes what they are worked out of, before it does.
    package static func release(_ db: Database) throws {
        try FactWatch.end(db)
        try release(kept(db), db)
    }

    /// As ``release(_:)``, for a load, which adds rows and merges purchases: facts that are kept
    /// now are later brought up to date by what it changed alone.
    package static func releaseForLoad(_ db: Database) throws {
        let kept = try kept(db)
        try FactWatch.begin(for: kept, db)
        try release(kept, db)
    }

    /// Works out the facts that are not kept: those of which all changes are noted in one
    /// transaction, by these alone, and others each in one of its own, but for those that are
    /// left to reports.
    ///
    /// - Parameter isStopped: asked now and then; true ends the work, and the next call goes on.
    package static func keep(_ db: Database, isStopped: () -> Bool = { false }) throws {
        try forgetStatistics(db)
        try dropFormer(db)
        try followSettings(db)
        try update(db, isStopped: isStopped)
        try FactWatch.end(db)
        let kept = Set(try kept(db).map(\.name))
        for fact in Fact.all where !kept.contains(fact.name) && !fact.isLeftToReports {
            guard !isStopped() else { return }
            try db.inTransaction(.immediate) {
                try fact.createTable("main.\(fact.table)", of: "main.\(fact.name)", db)
                try keep(fact, db)
                return .commit
            }
        }
    }

    /// The facts left to reports that a statement reads, directly or through the project's views.
    package static func leftToReports(readBy sql: String) -> Set<String> {
        let views = Fact.views(readBy: sql)
        return Set(Fact.all.filter { $0.isLeftToReports && views.contains($0.name) }.map(\.name))
    }

    /// Keeps the rows of a fact that is left to reports, where those of all others are kept: no load was told to keep
    /// none, or is behind its first commit.
    ///
    /// Rows are worked out without a lock that a load would wait for, and are refused where one has written meanwhile.
    static func keepForReports(_ fact: Fact, _ db: Database) throws {
        var before: Int?
        // No transaction begins where a writer is at work, which is about to make the rows outdated.
        try db.inTransaction(.immediate) {
            before = try generation(toKeep: fact, db)
            return .rollback
        }
        guard let before else { return }
        try fact.createTable("temp.\(fact.table)", of: "main.\(fact.name)", db)
        try db.inTransaction(.immediate) {
            guard try generation(toKeep: fact, db) == before else { return .rollback }
            try fact.createTable("main.\(fact.table)", of: "temp.\(fact.table)", db)
            try keep(fact, db)
            return .commit
        }
        try db.execute(sql: "DROP TABLE temp.\(fact.table)")
    }

    /// How often facts were let go of, if this one's rows aren't kept now and may be; else nil.
    private static func generation(toKeep fact: Fact, _ db: Database) throws -> Int? {
        let texts = try viewTexts(db)
        let areOthersKept = Fact.all.allSatisfy { fact in
            fact.isLeftToReports || texts[fact.name].map(fact.isKept) ?? false
        }
        guard texts[fact.name] == fact.statement, areOthersKept, try settingsHold(db) else { return nil }
        guard try db.has(generationTable) else { return 0 }
        return try Int.fetchOne(db, sql: "SELECT number FROM \(generationTable)") ?? 0
    }

    /// Brings facts up to date by what a load changed, where that is known and little.
    private static func update(_ db: Database, isStopped: () -> Bool) throws {
        let kept = Set(try kept(db).map(\.name))
        let watched = try FactWatch.watched(db).subtracting(kept)
        let facts = Fact.all.filter { fact in
            switch fact.upkeep {
            case .whole, .steady: false
            case .rows, .sums, .greatest: watched.isSuperset(of: fact.sources.union([fact.name]))
            }
        }
        guard !facts.isEmpty else { return }
        try db.inTransaction(.immediate) {
            guard let updated = try FactUpdate.run(facts, db, isStopped: isStopped) else { return .rollback }
            for fact in updated { try keep(fact, db) }
            for steady in Fact.all where watched.contains(steady.name) {
                guard case .steady = steady.upkeep else { continue }
                if try isChanged(steady, db) {
                    try release(updated.filter { $0.sources.contains(steady.name) }, db)
                } else {
                    try keep(steady, db)
                }
            }
            return .commit
        }
    }

    /// Forgets what `ANALYZE` has counted. Views are written for the plans that SQLite makes without, and by averages
    /// it takes some joins of thousands of rows for joins of one.
    private static func forgetStatistics(_ db: Database) throws {
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'sqlite_stat[134]'")
        guard try tables.contains(where: { try Int.fetchOne(db, sql: "SELECT 1 FROM \($0) LIMIT 1") != nil }) else {
            return
        }
        for table in tables { try db.execute(sql: "DELETE FROM \(table)") }
        try db.execute(sql: "ANALYZE sqlite_schema")
    }

    /// Lets go of the facts and of their tables, for what must leave no copy of a row behind.
    package static func drop(_ db: Database) throws {
        try release(db)
        try dropTables(db)
    }

    /// The statements that create the views whose rows are kept, by their names.
    package static func keptDefinitions(_ db: Database) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try kept(db).map { ($0.name, $0.statement) })
    }

    /// The names of the views whose rows are kept.
    package static func keptNames(_ db: Database) throws -> Set<String> { Set(try kept(db).map(\.name)) }

    /// The differences between the rows that are kept of a view and those that its definition gives.
    ///
    /// For a connection that may only read; a temporary view hides the one that reads the table.
    package static func differences(of name: String, _ db: Database) throws -> Int {
        guard let fact = try kept(db).first(where: { $0.name == name }) else { return 0 }
        let rows = "temp.worked_out_\(name)"
        try db.execute(
            sql: """
                \(fact.definition.replacing("CREATE VIEW \(name) AS\n", with: "CREATE TEMP VIEW \(name) AS\n", maxReplacements: 1))
                CREATE TEMP TABLE worked_out_\(name) AS SELECT * FROM temp.\(name);
                DROP VIEW temp.\(name);
                """)
        defer { try? db.execute(sql: "DROP TABLE IF EXISTS \(rows)") }
        // Rows that are equal count, too.
        return try Int.fetchOne(
            db,
            sql: """
                SELECT max(
                    abs((SELECT count(*) FROM \(fact.table)) - (SELECT count(*) FROM \(rows))),
                    (SELECT count(*) FROM (SELECT * FROM \(fact.table) EXCEPT SELECT * FROM \(rows)))
                        + (SELECT count(*) FROM (SELECT * FROM \(rows) EXCEPT SELECT * FROM \(fact.table))))
                """) ?? 0
    }

    /// Whether a view's definition gives other rows now than its table has.
    private static func isChanged(_ fact: Fact, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT * FROM \(fact.name) EXCEPT SELECT * FROM \(fact.table))
                    OR EXISTS (SELECT * FROM \(fact.table) EXCEPT SELECT * FROM \(fact.name))
                """) ?? true
    }

    // MARK: One fact

    static func kept(_ db: Database) throws -> [Fact] {
        let texts = try viewTexts(db)
        return Fact.all.filter { fact in texts[fact.name].map(fact.isKept) ?? false }
    }

    /// Every view's text as the database has it.
    static func viewTexts(_ db: Database) throws -> [String: String] {
        try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
            .reduce(into: [:]) { texts, row in texts[row["name"] as String] = row["sql"] as String }
    }

    /// What a user has set, which facts are worked out of, too.
    private static let settings = """
        SELECT json_array(
            (SELECT json_group_array(json_array(name, value)) FROM (SELECT * FROM signal_setting ORDER BY name)),
            (
                SELECT json_group_array(json_array(bundle_id, first_free_version_key, platform))
                FROM (SELECT * FROM app_setting ORDER BY bundle_id)
            ),
            (
                SELECT json_group_array(json_array(bundle_id, version))
                FROM (SELECT * FROM app_expected_version ORDER BY bundle_id, version)
            ))
        """

    /// Lets go of the facts where settings are others than those that they were worked out under:
    /// SQL can change them, too.
    private static func followSettings(_ db: Database) throws {
        try db.inTransaction(.immediate) {
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS \(settingsTable) (settings TEXT)")
            guard try !settingsHold(db) else { return .rollback }
            try release(db)
            try db.execute(sql: "DELETE FROM \(settingsTable)")
            try db.execute(sql: "INSERT INTO \(settingsTable) \(settings)")
            return .commit
        }
    }

    /// Whether settings are those that facts were worked out under.
    private static func settingsHold(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT (SELECT settings FROM \(settingsTable)) IS (\(settings))") ?? false
    }

    private static let settingsTable = "fact_settings"
    private static let generationTable = "fact_generation"

    /// Drops the tables of what was a fact for another version.
    private static func dropFormer(_ db: Database) throws {
        try dropTables(but: Set(Fact.all.map(\.table)), db)
    }

    /// Drops tables of facts, of other versions, too.
    private static func dropTables(but tables: Set<String> = [], _ db: Database) throws {
        let stored = try String.fetchSet(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'fact_*'")
        for table in stored.subtracting(tables).subtracting([settingsTable, generationTable]) {
            try db.execute(sql: "DROP TABLE \(table.quotedDatabaseIdentifier)")
        }
    }

    private static func release(_ facts: [Fact], _ db: Database) throws {
        guard !facts.isEmpty else { return }
        for fact in facts {
            try db.execute(sql: "DROP VIEW \(fact.name.quotedDatabaseIdentifier)")
            try db.execute(sql: fact.definition)
            // Nobody may ask for it again, and it names persons.
            if fact.isLeftToReports { try db.execute(sql: "DROP TABLE IF EXISTS \(fact.table)") }
        }
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(generationTable) (number INTEGER);
                INSERT INTO \(generationTable) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM \(generationTable));
                UPDATE \(generationTable) SET number = number + 1;
                """)
    }

    /// Makes the view read its table, which holds its rows.
    private static func keep(_ fact: Fact, _ db: Database) throws {
        let columns = try db.columnNames(of: fact.table)
        try db.execute(sql: "DROP VIEW \(fact.name.quotedDatabaseIdentifier)")
        try db.execute(sql: fact.keptView(columns: columns))
    }
}

extension Fact {
    /// Makes a table of the fact's rows.
    ///
    /// - Parameters:
    ///   - table: its name behind that of its schema.
    ///   - source: a view or a table that gives them, likewise.
    func createTable(_ table: String, of source: String, _ db: Database) throws {
        let parts = source.split(separator: ".").map(String.init)
        let columns = try Row.fetchAll(
            db, sql: "SELECT name, type FROM pragma_table_info(?, ?)", arguments: [parts[1], parts[0]])
        // Of the view's own types, so that each value stays as it is: outside of a STRICT table ANY would make numbers
        // of texts, which no type with BLOB in its name does.
        var definitions = columns.map { column -> String in
            let (name, type): (String, String) = (column["name"], column["type"])
            return "\(name.quotedDatabaseIdentifier) \(type == "ANY" ? "ANY_BLOB" : type)"
        }
        if !key.isEmpty { definitions.append("PRIMARY KEY (\(key.joined(separator: ", ")))") }
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS \(table);
                CREATE TABLE \(table) (\(definitions.joined(separator: ", ")))
                \(key.isEmpty ? "" : "WITHOUT ROWID");
                INSERT INTO \(table) SELECT * FROM \(source);
                """)
    }
}
