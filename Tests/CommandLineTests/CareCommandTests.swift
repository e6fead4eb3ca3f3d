internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// `receiptmill check` and `receiptmill backup`.
@Suite struct CareCommandTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        try Samples.copyDatabase(into: workdir)
    }

    @Test("check finds no offence in a database as it was loaded")
    func soundDatabase() throws {
        let result = try Mill.run(["check", "--database", database])
        #expect(result.status == 0, "\(result)")
        #expect(result.output.split(separator: "\n").allSatisfy { $0.hasSuffix(": none") })
    }

    @Test(
        "check names a promise that is broken",
        arguments: [
            ("DELETE FROM rejection", "archive_lines_unprocessed"),
            (
                "DELETE FROM submission WHERE submission_id = (SELECT max(submission_id) FROM submission)",
                "archive_lines_unprocessed"
            ),
            ("UPDATE rejection SET status = 'cleared'", "rejection_status_differs"),
            (
                "INSERT INTO rejection SELECT archive_id, line, 1, 'x', '', 'dismissed' FROM submission LIMIT 1",
                "rejection_status_differs"
            ),
            (
                """
                INSERT INTO dead_letter (letter_id, bytes, kept_at, deflated)
                SELECT archive_id << 32 | line, 1, 0, x'00' FROM rejection LIMIT 1;
                UPDATE rejection SET status = 'dismissed'
                """, "dead_letter_unwanted"
            ),
            (
                "INSERT INTO store_file VALUES (1, 'S_D.txt', x'00', 'sales', 1, 0, 0, 0, '', '')",
                "store_file_miscounted"
            ),
            ("INSERT INTO store_rejection VALUES (9, 2, 'bad_row', '')", "reference_leads_nowhere"),
            ("DELETE FROM submission WHERE receipt_id = 1", "receipt_without_submission"),
            (
                "DELETE FROM purchase WHERE purchase_id = (SELECT min(purchase_id) FROM purchase)",
                "transaction_unmerged"
            ),
            ("UPDATE purchase SET as_of = as_of - 100000000000", "purchase_outdated"),
            (
                "UPDATE receipt SET verdict = 'bad_signature' WHERE receipt_id = (SELECT receipt_id FROM purchase LIMIT 1)",
                "purchase_unstated"
            ),
            ("UPDATE purchase SET receipt_id = NULL", "purchase_unstated"),
            ("UPDATE purchase SET as_of = NULL", "purchase_unstated"),
            ("UPDATE claimed_purchase SET receipt_id = NULL", "purchase_unstated"),
            ("UPDATE claimed_purchase SET as_of = NULL", "purchase_unstated"),
            (
                "DELETE FROM receipt_purchase WHERE receipt_id = (SELECT receipt_id FROM purchase LIMIT 1)",
                "receipt_purchases_miscounted"
            ),
            (
                "UPDATE receipt SET attribute_set_id = (SELECT min(attribute_set_id) FROM attribute_set) WHERE verdict <> 'trusted'",
                "untrusted_attributes_kept"
            ),
            ("DELETE FROM attribute_set_member WHERE attribute_type = 6", "attribute_set_differs"),
            ("DELETE FROM receipt_digest WHERE receipt_id = 1", "receipt_digest_differs"),
            ("UPDATE receipt_digest SET sha256 = x'00' WHERE receipt_id = 1", "receipt_digest_differs"),
            ("DELETE FROM receipt_lineage WHERE receipt_id = 1", "receipt_lineage_differs"),
            ("UPDATE receipt_lineage SET hash_prefix = x'00' WHERE receipt_id = 1", "receipt_lineage_differs"),
            ("UPDATE version SET version_key = 'x'", "version_key_differs"),
            ("UPDATE submission SET account_tag = account_tag + 1", "identifier_tag_differs"),
            ("UPDATE receipt SET app_id = 99999 WHERE receipt_id = 1", "reference_leads_nowhere"),
            ("INSERT INTO signal_setting VALUES ('shared_device_high', 8)", "signal_setting_unfit"),
            ("INSERT INTO signal_setting VALUES ('shared_devices_high', 1)", "signal_setting_unfit"),
        ])
    func brokenPromise(sql: String, promise: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        try DatabaseQueue(path: database, configuration: configuration).write { try $0.execute(sql: sql) }
        let result = try Mill.run(["check", "--database", database, "--quiet"])
        #expect(result.status == 65)
        #expect(result.output.split(separator: "\n").contains { $0.hasPrefix("\(promise): ") }, "\(result.output)")
    }

    @Test("check and regrade don't make a database that is missing")
    func missingDatabase() throws {
        for command in ["check", "regrade"] {
            #expect(try Mill.run([command, "--database", workdir.path("none.sqlite")]).status == 66)
        }
        #expect(!FileManager.default.fileExists(atPath: workdir.path("none.sqlite")))
    }

    /// The database as one file, with some of its bytes changed.
    private func damage(_ change: (inout [UInt8]) -> Void) throws {
        try DatabaseQueue(path: database).writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        var bytes = try workdir.read("mill.sqlite")
        change(&bytes)
        try workdir.write(bytes, to: "mill.sqlite")
    }

    @Test("check names damaged pages and what to do")
    func damagedPages() throws {
        let pages = try DatabaseQueue(path: database).read {
            try Int.fetchAll($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name IN ('receipt', 'submission')")
        }
        // Pages count from 1, and a page's type stands at its beginning.
        try damage { for page in pages { $0[(page - 1) * 8_192] = 0xa5 } }
        let result = try Mill.run(["check", "--database", database])
        #expect(result.status == 65)
        #expect(pages.count == 2 && pages.allSatisfy { result.output.contains("Page \($0):") }, "\(result)")
        #expect(result.errors.contains("restore the last backup"))
    }

    @Test("check reports a database whose file was cut")
    func cutDatabase() throws {
        try damage { $0.removeLast(8_192 * 3) }
        let result = try Mill.run(["check", "--database", database])
        #expect(result.status == 65 && result.output.contains("the file is cut: "), "\(result)")
    }

    @Test("A load into a damaged database fails and says what to do")
    func loadIntoDamage() throws {
        try damage { for place in 100..<400 { $0[place] = 0xa5 } }
        let result = try Mill.run(["ingest", Samples.archive, "--database", database, "--quiet"])
        #expect(result.status == 74)
        #expect(result.errors.contains("malformed") && result.errors.contains("restore the last backup"), "\(result)")
        #expect(try Mill.run(["check", "--database", database]).status == 65)
    }

    @Test("A backup onto the database itself is refused, through links too")
    func backupOntoDatabase() throws {
        let before = try workdir.read("mill.sqlite")
        try FileManager.default.createSymbolicLink(atPath: workdir.path("link"), withDestinationPath: database)
        try FileManager.default.linkItem(atPath: database, toPath: workdir.path("hard"))
        for name in ["mill.sqlite", "link", "hard"] {
            let result = try Mill.run(["backup", workdir.path(name), "--database", database])
            #expect(result.status == 64 && result.errors.contains("is the database"), "\(result)")
        }
        #expect(try workdir.read("mill.sqlite") == before)
    }

    /// Every command that opens a database.
    private static let openings = [
        ["ingest", Samples.archive], ["report", "refunds"], ["check"], ["backup", "/nowhere/copy.sqlite"], ["regrade"],
    ]

    @Test("Every command refuses a database of a newer version", arguments: openings)
    func newerVersion(command: [String]) throws {
        try DatabaseQueue(path: database).write {
            try $0.execute(sql: "PRAGMA user_version = 999; DROP VIEW receipts")
        }
        let result = try Mill.run(command + ["--database", database])
        #expect(result.status == 73 && result.errors.contains("written by a newer version"), "\(result)")
        #expect(result.errors.contains("hint: install that version"))
    }

    @Test("Every command refuses a database with a second name (hard link)", arguments: openings)
    func secondName(command: [String]) throws {
        try FileManager.default.linkItem(atPath: database, toPath: workdir.path("other.sqlite"))
        for name in ["mill.sqlite", "other.sqlite"] {
            let result = try Mill.run(command + ["--database", workdir.path(name)])
            #expect(result.status == 73 && result.errors.contains("has 2 names (hard links)"), "\(result)")
        }
        try FileManager.default.removeItem(atPath: workdir.path("other.sqlite"))
        #expect(try Mill.run(["check", "--database", database]).status == 0)
    }

    @Test("A backup removes the log of a former copy")
    func backupOverLog() throws {
        let copy = workdir.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: database, toPath: copy)
        for ending in ["-wal", "-shm"] { try workdir.write("", to: "copy.sqlite\(ending)") }
        #expect(try Mill.run(["backup", copy, "--database", database]).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: workdir.url.path)
        #expect(names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    }

    @Test("The next run removes the file of a killed backup, and nothing else")
    func killedBackup() throws {
        let file = try workdir.write(
            "database: mill.sqlite\ntrust: {anchors: [\(Samples.root)]}\narchives: [{path: 'in/*.gz'}]\n",
            to: "night.yaml")
        for folder in ["in", "copies"] { try #require(mkdir(workdir.path(folder), 0o700) == 0) }
        let copy = ["backup", workdir.path("copies/mill.sqlite"), "--database", database]
        #expect(try Mill.run(copy).status == 0)
        // One of a process that has ended, one of a running process, and one of another file.
        for process in ["2000000000", "1"] {
            try workdir.write("half", to: "copies/.mill.sqlite.\(process).part")
            try workdir.write("half", to: "copies/.mill.sqlite.\(process).part-journal")
        }
        try workdir.write("half", to: "copies/.other.sqlite.2000000000.part")
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workdir.path("copies")).sorted() == [
                ".mill.sqlite.1.part", ".mill.sqlite.1.part-journal", ".other.sqlite.2000000000.part", "mill.sqlite",
            ])
    }

    @Test("A backup is the whole database in one file, beside a reader in a transaction")
    func wholeBackup() throws {
        let copy = workdir.path("copy.sqlite")
        // A reader in the middle of a transaction does not matter.
        let reader = try DatabaseQueue(path: database)
        try reader.inDatabase { db in
            try db.execute(sql: "BEGIN; SELECT count(*) FROM receipt")
            #expect(try Mill.run(["backup", copy, "--database", database]).status == 0)
            try db.execute(sql: "COMMIT")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: workdir.url.path)
        #expect(names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
        #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
        let dump =
            "SELECT group_concat(quote(submission_id) || quote(receipt_sha256) || quote(device_id)) FROM submissions"
        let original = try reader.read { try String.fetchOne($0, sql: dump) }
        #expect(try DatabaseQueue(path: copy).read { try String.fetchOne($0, sql: dump) } == original)
        #expect(try Mill.run(["check", "--database", copy]).status == 0)
    }

    @Test("A backup that fails leaves the former one")
    func failedBackup() throws {
        try workdir.write("former", to: "copy.sqlite")
        #expect(try Mill.run(["backup", workdir.path("copy.sqlite"), "--database", workdir.path("none")]).status == 66)
        #expect(try workdir.read("copy.sqlite") == Array("former".utf8))
        #expect(try Mill.run(["backup", workdir.path("no/such/copy"), "--database", database]).status == 73)
    }

    @Test("A backup is refused where the log of another database lies beside it", arguments: ["-wal", "-journal"])
    func backupUnderLog(suffix: String) throws {
        try workdir.write("former", to: "copy.sqlite")
        try workdir.write("log", to: "copy.sqlite" + suffix)
        let result = try Mill.run(["backup", workdir.path("copy.sqlite"), "--database", database])
        #expect(result.status == 73 && result.errors.contains("copy.sqlite\(suffix) lies beside it"), "\(result)")
        #expect(result.errors.contains("hint: "))
        #expect(try workdir.read("copy.sqlite") == Array("former".utf8))
        try workdir.write("", to: "copy.sqlite" + suffix)
        let replacing = ["backup", workdir.path("copy.sqlite"), "--database", database, "--replace"]
        #expect(try Mill.run(replacing).status == 0)
    }

    @Test(
        "A backup under a name of the database's own files is refused",
        arguments: ["", "-wal", "-shm", "-journal", "-lock"])
    func backupUnderOwnName(suffix: String) throws {
        let before = try workdir.read("mill.sqlite")
        try? FileManager.default.removeItem(atPath: database + "-wal")
        try? FileManager.default.removeItem(atPath: database + "-shm")
        try FileManager.default.createSymbolicLink(
            atPath: workdir.path("link"), withDestinationPath: "mill.sqlite\(suffix)")
        for name in ["mill.sqlite\(suffix)", "link"] {
            let result = try Mill.run(["backup", workdir.path(name), "--database", database, "--replace"])
            #expect(result.status == 64 && result.errors.contains("name another file"), "\(result)")
            #expect(try workdir.read("mill.sqlite") == before)
            #expect(suffix.isEmpty || !FileManager.default.fileExists(atPath: database + suffix))
        }
    }

    @Test("A backup replaces a former one or an empty file, and other files only with --replace")
    func backupReplaces() throws {
        try workdir.write("", to: "copy.sqlite")
        try workdir.write("a letter", to: "copy.sqlite.part")
        for _ in 0..<2 {
            #expect(try Mill.run(["backup", workdir.path("copy.sqlite"), "--database", database]).status == 0)
            #expect(try Mill.run(["check", "--database", workdir.path("copy.sqlite")]).status == 0)
        }
        #expect(try workdir.read("copy.sqlite.part") == Array("a letter".utf8))
        try DatabaseQueue(path: workdir.path("songs")).write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
        for name in ["copy.sqlite.part", "songs"] {
            let before = try workdir.read(name)
            let result = try Mill.run(["backup", workdir.path(name), "--database", database])
            #expect(result.status == 73 && result.errors.contains("the copy would replace it"), "\(result)")
            #expect(try workdir.read(name) == before)
            #expect(try Mill.run(["backup", workdir.path(name), "--database", database, "--replace"]).status == 0)
            #expect(try Mill.run(["check", "--database", workdir.path(name)]).status == 0)
        }
        try #require(mkfifo(workdir.path("pipe"), 0o600) == 0)
        let pipe = try Mill.run(["backup", workdir.path("pipe"), "--database", database, "--replace"])
        #expect(pipe.status == 73 && pipe.errors.contains("is a folder, a pipe or a device"), "\(pipe)")
    }

    @Test("A backup through a symbolic link replaces the file that it leads to")
    func backupThroughLink() throws {
        try #require(mkdir(workdir.path("disk"), 0o700) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: workdir.path("latest"), withDestinationPath: "disk/copy.sqlite")
        for _ in 0..<2 {
            #expect(try Mill.run(["backup", workdir.path("latest"), "--database", database]).status == 0)
        }
        #expect(try Mill.run(["check", "--database", workdir.path("disk/copy.sqlite")]).status == 0)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: workdir.path("latest")) == "disk/copy.sqlite")
    }

    @Test("A backup onto a database that a run holds is refused")
    func backupOntoHeld() throws {
        try workdir.write("former", to: "copy.sqlite")
        let lock = open(workdir.path("copy.sqlite-lock"), O_RDWR | O_CREAT, 0o600)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        let result = try Mill.run(["backup", workdir.path("copy.sqlite"), "--database", database])
        #expect(result.status == 73 && result.errors.contains("a run is loading"), "\(result)")
        #expect(try workdir.read("copy.sqlite") == Array("former".utf8))
    }
}
