internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Databases of released schemas, made by the binaries of their releases, and older ones.
@Suite struct MigrateCommandTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws { workdir = try Workdir() }

    private static let folder = Repository.file("Tests/Migrations")

    /// Names of the schemas that were released and have a fixture.
    private static let schemas =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasPrefix("v") } ?? []

    private func file(_ name: String, of schema: String) -> String {
        Self.folder.appending(path: "\(schema)/\(name)").path
    }

    private func unpack(_ schema: String = "v8") throws {
        let text = try Command("gzip", ["-dc", file("mill.sqlite.gz", of: schema)]).run().bytes
        try workdir.write(text, to: "mill.sqlite")
    }

    private func ingest(_ schema: String = "v8", into database: String) throws -> Mill.Result {
        try Mill.run([
            "ingest", file("receipts.jsonl.gz", of: schema), file("signed.jsonl.gz", of: schema), "--trust",
            file("roots.pem", of: schema), "--app", "com.example.lumen.mac:2.0:macos", "--dead-letters",
            workdir.path("letters.gz"), "--database", database, "--quiet",
        ])
    }

    /// Rows of all views, but what tells of the loading itself and when it was.
    private func views(of database: String) throws -> [String] {
        let stored = Stored(database)
        let views = try stored.lines("SELECT name FROM sqlite_schema WHERE type = 'view' AND name <> 'runs' ORDER BY 1")
        #expect(views.count > 40)
        let times: Set = ["decided_at", "erased_at", "retracted_at"]
        // A rejection keeps the words of the version that made it.
        return try stored.content(of: views, without: Stored.ownColumns.union(times).union(["detail"]))
    }

    private func viewTexts(of database: String) throws -> [String] {
        try Stored(database).lines("SELECT sql FROM sqlite_schema WHERE type = 'view' ORDER BY name")
    }

    private func schema(of database: String) throws -> [String] {
        // What models are made of, and what ANALYZE counted, is no matter of the schema.
        try Stored(database).lines(
            """
            SELECT type, name, tbl_name, sql FROM sqlite_schema
            WHERE type <> 'view' AND tbl_name NOT GLOB 'model_*' AND tbl_name <> 'catalog' AND tbl_name NOT GLOB 'sqlite_stat*'
            """
        ).sorted()
    }

    @Test("A fixture of every released schema becomes what a fresh load makes", arguments: schemas)
    func fixture(schema: String) throws {
        try unpack(schema)
        let former = try self.schema(of: database)
        // Views are of the release that made it, and never of this one.
        try DatabaseQueue(path: database).write {
            try $0.execute(sql: "DROP VIEW receipts; CREATE VIEW receipts AS SELECT 1 AS receipt")
        }
        let migrated = try Mill.run(["migrate", "--database", database])
        #expect(migrated.status == 0, "\(migrated)")
        let fresh = workdir.path("fresh.sqlite")
        let loaded = try Command("bash", [file("load.sh", of: schema), Mill.binary.path, fresh]).run()
        #expect(loaded.status == 0, "\(loaded)")
        if try Stored(fresh).lines("PRAGMA user_version") == ["\(schema.dropFirst())"] {
            // What is released is frozen.
            #expect(try self.schema(of: fresh) == former)
            #expect(migrated.errors.isEmpty, "\(migrated)")
        }
        #expect(try self.schema(of: database) == self.schema(of: fresh))
        let difference = try views(of: database).difference(from: views(of: fresh))
        #expect(difference.isEmpty, "\(difference.prefix(4))")
        // The next load works out models, be it of what is known.
        let known = try Mill.run([
            "ingest", file("signed.jsonl.gz", of: schema), "--trust", file("roots.pem", of: schema), "--database",
            database, "--quiet",
        ])
        #expect(known.status == 0, "\(known)")
        #expect(try viewTexts(of: database) == viewTexts(of: fresh))
        let check = try Mill.run(["check", "--database", database, "--quiet"])
        #expect(check.status == 0, "\(check)")
    }

    @Test("The SQL of a schema that has a fixture never changes")
    func frozen() throws {
        let listed = Self.folder.appending(path: "frozen.sha256")
        let check = try Command("sha256sum", ["--check", "--quiet", listed.path], in: Repository.file(".")).run()
        #expect(check.status == 0, "a further schema needs a step of its own: \(check)")
        // Every version up to the newest fixture's.
        let newest = Self.schemas.compactMap { Int($0.dropFirst()) }.max() ?? 0
        let names = try ["schema", "migrations"].flatMap { folder in
            // There are no migrations before the second schema.
            try FileManager.default.subpathsOfDirectory(atPath: Repository.file("sql").path)
                .filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
                .filter { $0.firstMatch(of: /v(\d+)\.sql/).flatMap { Int($0.output.1) }.map { $0 <= newest } ?? false }
                .map { "sql/\(folder)/\($0)" }
        }
        let digests = try String(contentsOf: listed, encoding: .utf8).split(separator: "\n")
        #expect(digests.map { String($0.dropFirst(66)) }.sorted() == names.sorted())
    }

    @Test(
        "A database of a build before the first release is refused by its age, and stays as it is",
        arguments: [
            ["migrate"], ["compact"], ["dismiss", "receipts.jsonl.gz:1"], ["erase", "--account", "1"],
            ["report", "refunds"], ["backup", "/dev/null/copy"], ["check"], ["ingest", "-"],
        ])
    func tooOld(command: [String]) throws {
        try unpack()
        try DatabaseQueue(path: database).write { try $0.execute(sql: "PRAGMA user_version = 7") }
        let before = try schema(of: database)
        let result = try Mill.run(command + ["--database", database])
        #expect(result.status == 73, "\(result)")
        #expect(result.errors.contains("schema 7, and what this version reads begins at 8"), "\(result)")
        #expect(result.errors.contains("load its archives into a new database"), "\(result)")
        #expect(try schema(of: database) == before)
        #expect(try Stored(database).lines("PRAGMA user_version") == ["7"])
    }

    @Test("migrate makes no database")
    func absent() throws {
        #expect(try Mill.run(["migrate", "--database", database]).status == 66)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.url.path) == [])
    }

    /// What is done to a database, and what is said of it.
    private static let changes = [
        ("DROP TABLE erasure", "table erasure is missing"),
        ("DROP TRIGGER dead_letter_under_key", "trigger dead_letter_under_key is missing"),
        ("DROP INDEX receipt_not_trusted", "index receipt_not_trusted is missing"),
        (
            "DROP TABLE decision_signal; CREATE TABLE decision_signal (decision_id INTEGER NOT NULL, PRIMARY KEY (decision_id))",
            "decision_signal lacks the column signal"
        ),
        ("ALTER TABLE app ADD COLUMN note TEXT", "app has a column note that it should not have"),
        (
            "DROP TABLE signal_setting; CREATE TABLE signal_setting (name TEXT PRIMARY KEY NOT NULL, value TEXT)",
            "signal_setting.value is TEXT, not INTEGER NOT NULL"
        ),
        (
            "DROP INDEX archive_by_name; CREATE INDEX archive_by_name ON archive (bytes)",
            "index archive_by_name is defined otherwise"
        ),
    ]

    @Test("A database that is almost ours is told by what differs", arguments: changes)
    func almostOurs(sql: String, difference: String) throws {
        try unpack()
        try DatabaseQueue(path: database).writeWithoutTransaction { try $0.execute(sql: sql) }
        let check = try Mill.run(["check", "--database", database])
        #expect(check.status == 65 && check.output.contains("schema_differs: 1\n  \(difference)\n"), "\(check)")
        let load = try ingest(into: database)
        #expect(load.status == 73 && load.errors.contains(difference), "\(load)")
    }

    @Test("Tables and indices that its owner has added are left alone")
    func ownAdditions() throws {
        try unpack()
        try DatabaseQueue(path: database).write {
            try $0.execute(sql: "CREATE TABLE note (text); CREATE INDEX own ON receipt (bytes)")
        }
        #expect(try ingest(into: database).status == 0)
        #expect(try Stored(database).lines("SELECT count(*) FROM sqlite_schema WHERE name IN ('note', 'own')") == ["2"])
    }
}
