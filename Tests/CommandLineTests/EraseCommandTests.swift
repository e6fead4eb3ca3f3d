internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill erase` and `receiptmill compact`.
@Suite struct EraseCommandTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    /// Lines of the sample archive, with an account of our own in some of them.
    init() throws {
        workdir = try Workdir()
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("a.gz"))
        let loaded = try Mill.run([
            "ingest", workdir.path("a.gz"), try bad(), "--trust", Samples.root, "--database", database, "--quiet",
            "--dead-letters", workdir.path("letters.gz"),
        ])
        try #require(loaded.status == 0, "\(loaded)")
    }

    private func bad() throws -> String {
        try workdir.write(
            "{\"account_id\":\"rejected-person\",\"receipt\":\"%%\"}\n{\"account_id\":\"other\",\"receipt\":\"%%\"}\n",
            to: "bad.jsonl")
    }

    private func lines(_ sql: String) throws -> [String] { try Stored(database).lines(sql) }

    private func erase(_ options: String...) throws -> Mill.Result {
        try Mill.run(["erase", "--database", database] + options)
    }

    private func check() throws {
        let result = try Mill.run(["check", "--database", database])
        #expect(result.status == 0, "\(result)")
    }

    /// Whether a text stands in any file beside the database, or in it, in any letter case.
    private func isLeft(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: workdir.url.path)
            .filter { $0.hasPrefix("mill.sqlite") }
            .contains { name in
                let bytes = Data(try workdir.read(name))
                return [text, text.uppercased(), text.lowercased()].contains { bytes.range(of: Data($0.utf8)) != nil }
            }
    }

    @Test("A copy that a migration left is named")
    func migratedCopy() throws {
        let copy = try workdir.write("", to: "mill.sqlite-before-v6")
        #expect(try erase("--account", "other", "--dry-run").output.contains("  \(copy), from before a migration"))
        try FileManager.default.removeItem(atPath: copy)
        #expect(try !erase("--account", "other").output.contains("before a migration"))
    }

    @Test("An account goes from every row and page, with the receipts that it alone presented")
    func account() throws {
        let account = try #require(
            try lines(
                "SELECT account_id FROM submissions GROUP BY 1 HAVING account_id IS NOT NULL ORDER BY count(*) DESC"
            )
            .first)
        let own = try lines("SELECT count(*) FROM submissions WHERE account_id = '\(account)'")[0]
        let alone = try lines(
            """
            SELECT receipt_sha256 FROM submissions GROUP BY 1
            HAVING min(account_id IS '\(account)') = 1
            """)
        try #require(!alone.isEmpty)
        let before = try lines("SELECT count(*) FROM submissions")[0]
        let plan = try erase("--account", account, "--dry-run")
        #expect(plan.status == 0 && plan.output.hasPrefix("would erase \(own) submission"), "\(plan)")
        #expect(try lines("SELECT count(*) FROM submissions")[0] == before)

        let result = try erase("--account", account, "--json")
        #expect(result.status == 0, "\(result)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        #expect(object["submissions"] as? Int == Int(own))
        #expect(object["receipts"] as? Int == alone.count)
        #expect(try Int(lines("SELECT count(*) FROM submissions")[0]) == Int(before)! - Int(own)!)
        #expect(
            try lines("SELECT count(*) FROM receipts WHERE receipt_sha256 IN ('\(alone.joined(separator: "','"))')")
                == ["0"])
        #expect(
            try lines("SELECT identifier, submissions, receipts FROM erasures") == ["account|\(own)|\(alone.count)"])
        #expect(try !isLeft(account))
        try check()
        let again = try erase("--account", account)
        #expect(again.status == 0 && again.output == "nothing of this person is in the database\n", "\(again)")
    }

    @Test("A device goes in every notation, and stays away when its archive is loaded again")
    func device() throws {
        let device = try #require(
            try lines(
                """
                SELECT device_id FROM submissions WHERE length(device_id) = 36
                GROUP BY 1 ORDER BY count(*) DESC, 1
                """
            ).first)
        let hexadecimal = device.filter { $0 != "-" }.lowercased()
        #expect(try erase("--device", hexadecimal).output.hasPrefix("erased "))
        #expect(try lines("SELECT count(*) FROM submissions WHERE lower(device_id) = lower('\(device)')") == ["0"])
        #expect(try !isLeft(device))
        try check()
        let counts = "SELECT (SELECT count(*) FROM receipts), (SELECT count(*) FROM purchases)"
        let before = try lines(counts)
        // Another archive, since its bytes are others.
        try #require(try Command("sh", ["-c", "zcat a.gz > again.jsonl"], in: workdir.url).run().status == 0)
        let loaded = try Mill.run([
            "ingest", workdir.path("again.jsonl"), "--trust", Samples.root, "--database", database, "--quiet",
        ])
        #expect(loaded.status == 0, "\(loaded)")
        #expect(try lines("SELECT count(*) FROM submissions WHERE lower(device_id) = lower('\(device)')") == ["0"])
        #expect(try lines(counts) == before)
        try check()
    }

    @Test("Documents of a person's purchases that came without account and device go, too")
    func unowned() throws {
        let signed = Samples.folder.appending(path: "signed")
        let path = workdir.path("signed.sqlite")
        let loaded = try Mill.run([
            "ingest", signed.appending(path: "receipts-001.jsonl.gz").path, "--trust",
            signed.appending(path: "root.pem").path, "--database", path, "--quiet",
        ])
        try #require(loaded.status == 0, "\(loaded)")
        // Accounts with an original transaction that no one else presented, but lines without an owner.
        let presented = """
            WITH presented AS (
                SELECT coalesce(account_id, device_id) AS owner, account_id, receipt_sha256 AS sha256,
                    device_check
                FROM submissions
                UNION ALL
                SELECT coalesce(account_id, device_id), account_id, receipt_parts.part_sha256, device_check
                FROM submissions JOIN receipt_parts USING (receipt_sha256)),
            stated AS (
                SELECT owner, account_id, coalesce(purchases.original_transaction_id, transaction_id) AS original
                FROM presented JOIN receipt_purchases ON receipt_purchases.receipt_sha256 = sha256
                JOIN purchases USING (environment, bundle_id, transaction_id)
                WHERE device_check <> 'mismatch')
            SELECT max(account_id), original FROM stated
            GROUP BY original HAVING count(DISTINCT owner) = 1 AND count(*) > count(owner) AND count(account_id) > 0
            """
        let store = Stored(path)
        let found = try store.lines(presented)
        try #require(found.count > 3)
        for row in found.prefix(4) {
            let parts = row.split(separator: "|").map(String.init)
            let result = try Mill.run(["erase", "--account", parts[0], "--database", path])
            #expect(result.status == 0, "\(result)")
            let left = "SELECT count(*) FROM purchases WHERE \(parts[1]) IN (transaction_id, original_transaction_id)"
            #expect(try store.lines(left) == ["0"], "\(parts)")
        }
        #expect(try Mill.run(["check", "--database", path]).status == 0)
    }

    @Test("A person in a database under a key is found by the plain name with the key")
    func pseudonyms() throws {
        let key = try workdir.write("0123456789abcdef0123456789abcdef\n", to: "key")
        let path = workdir.path("named.sqlite")
        let loaded = try Mill.run([
            "ingest", Samples.archive, "--trust", Samples.root, "--database", path, "--quiet", "--pseudonym-key", key,
        ])
        try #require(loaded.status == 0, "\(loaded)")
        let account = try #require(
            try lines("SELECT account_id FROM submissions WHERE account_id IS NOT NULL GROUP BY 1 ORDER BY 1").first)
        let own = try lines("SELECT count(*) FROM submissions WHERE account_id = '\(account)'")[0]
        #expect(try Mill.run(["erase", "--account", account, "--database", path]).status == 78)
        let result = try Mill.run(["erase", "--account", account, "--database", path, "--pseudonym-key", key])
        #expect(result.output.hasPrefix("erased \(own) submission"), "\(result)")
    }

    @Test("Kept lines of a person go, and those of others stay")
    func letters() throws {
        let before = try lines("SELECT count(*) FROM dead_letter")[0]
        try #require(Int(before) ?? 0 >= 2)
        let result = try erase("--account", "rejected-person")
        #expect(result.output.contains("1 kept line\n") && result.output.contains("bad.jsonl"), "\(result)")
        #expect(try Int(lines("SELECT count(*) FROM dead_letter")[0]) == Int(before)! - 1)
        try check()
    }

    /// Writes an archive and loads it, with kept lines.
    private func ingest(_ text: String, as name: String, _ options: String...) throws -> Mill.Result {
        try Mill.run(
            [
                "ingest", workdir.write(text, to: name), "--trust", Samples.root, "--database", database, "--quiet",
                "--dead-letters", workdir.path("letters.gz"), "--format", "json",
            ] + options)
    }

    @Test("Kept lines go that name the person in another spelling, or can't be read and may name it")
    func spellings() throws {
        let named = [
            #"{"account_id":4711,"receipt":"%%"}"#, #"{"kunde":{"nr":"4711"},"receipt":"%%"}"#,
            #"{"account_id":"\u0034711","receipt":"%%"}"#,
            #"{"account_id":4711,"receipt":"MIIe2wYJ"#,
        ]
        let others = [#"{"account_id":47110,"receipt":"%%"}"#, #"{"account_id":12,"receipt":"MIIe2wYJ"#]
        #expect(try ingest((named + others).joined(separator: "\n") + "\n", as: "more.jsonl").status == 0)
        let before = try lines("SELECT count(*) FROM dead_letter")[0]
        let result = try erase("--account", "4711", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        #expect(object["dead_letters"] as? Int == named.count)
        #expect(try Int(lines("SELECT count(*) FROM dead_letter")[0]) == Int(before)! - named.count)
        #expect(
            try lines("SELECT line, dismissed FROM rejections WHERE archive = 'more.jsonl' ORDER BY line")
                == ["1|1", "2|1", "3|1", "4|1", "5|0", "6|0"])
        try check()
    }

    @Test("A line of which one document could be read and another not counts once, and goes whole")
    func partlyRead() throws {
        let receipt = try #require(
            try Command(
                "sh", ["-c", #"zcat a.gz | jq -r '.receipt? // empty' 2>/dev/null | head -n 1"#], in: workdir.url
            )
            .run().output.split(separator: "\n").first)
        let line = #"{"account_id":"half-person","receipt":"\#(receipt)","signedPayload":"no.signed.string"}"#
        let unowned = #"{"receipt":"\#(receipt)","signedPayload":"another.signed.string"}"#
        #expect(try ingest(line + "\n" + unowned + "\n", as: "half.jsonl").status == 0)
        #expect(try lines("SELECT count(*) FROM submissions WHERE account_id = 'half-person'") == ["1"])
        let result = try erase("--account", "half-person", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        let archives = try #require(object["archives"] as? [[String: Any]])
        #expect(object["submissions"] as? Int == 1 && object["dead_letters"] as? Int == 1)
        #expect(archives.map { $0["lines"] as? Int } == [1], "\(result)")
        try check()
    }

    @Test("An erased rejected line stays away when another file brings it, whether or not it can be read then")
    func rejectedAgain() throws {
        let receipt = try #require(
            try Command(
                "sh", ["-c", #"zcat a.gz | jq -r '.receipt? // empty' 2>/dev/null | head -n 1"#], in: workdir.url
            )
            .run().output.split(separator: "\n").first)
        // Under a forbidden key the receipt is not read.
        let line = #"{"account_id":"hidden-person","quittung":"\#(receipt)"}"#
        let broken = #"{"account_id":"hidden-person","receipt":"%%"}"#
        let others = #"{"account_id":"other-person","receipt":"%%"}"#
        let text = "\(line)\n\(broken)\n\(others)\n"
        #expect(try ingest(text, as: "one.jsonl", "--ignore-key", "quittung").status == 0)
        #expect(try erase("--account", "hidden-person").output.contains("2 kept lines\n"))
        for (index, options) in [["--ignore-key", "quittung"], []].enumerated() {
            // Other line ends, and another order.
            let again = try Mill.run(
                [
                    "ingest", workdir.write("\(index)\r\n\(broken)\r\n\(line)\r\n", to: "again\(index).jsonl"),
                    "--trust",
                    Samples.root, "--database", database, "--quiet", "--dead-letters", workdir.path("letters.gz"),
                ] + options)
            #expect(again.status == 0, "\(again)")
            let rejected = try lines(
                "SELECT line, dismissed, detail FROM rejections WHERE archive = 'again\(index).jsonl' ORDER BY line")
            #expect(rejected.suffix(2) == ["2|1|the line was erased", "3|1|the line was erased"], "\(rejected)")
        }
        #expect(try lines("SELECT count(*) FROM submissions WHERE account_id = 'hidden-person'") == ["0"])
        #expect(try !isLeft("hidden-person"))
        #expect(try erase("--account", "hidden-person").output == "nothing of this person is in the database\n")
        try check()
    }

    @Test("An erased rejected line stays away when it is decoded elsewhere and loaded")
    func decodedAgain() throws {
        #expect(try erase("--account", "rejected-person").status == 0)
        // Lines of standard input name no archive.
        let decoded = try Mill.run(["decode", "--trust", Samples.root, "--keep-rejected"], input: bad())
        try #require(decoded.status == 0, "\(decoded)")
        let text = decoded.output
        let loaded = try Mill.run([
            "load", workdir.write(text, to: "decoded.jsonl"), "--trust", Samples.root, "--database", database,
            "--quiet",
            "--dead-letters", workdir.path("letters.gz"),
        ])
        #expect(loaded.status == 0, "\(loaded)")
        #expect(try !isLeft("rejected-person"))
        #expect(
            try lines("SELECT count(*) FROM rejections WHERE archive = 'decoded.jsonl' AND dismissed = 0") == ["1"])
        try check()
    }

    @Test("Decisions go also where nothing else of the person is left, and so do notes that name it")
    func decisions() throws {
        func flag(_ subject: String, _ note: String) throws -> Mill.Result {
            try Mill.run(["flag", subject, "--as", "watching", "--note", note, "--database", database])
        }
        let account = try lines("SELECT max(account_id) FROM submissions")[0]
        #expect(try flag("account:\(account)", "same as gone-person, or not").status == 0)
        let sql = "INSERT INTO decision VALUES (99, 'account', 'gone-person', 'watching', NULL, NULL, 1)"
        try #require(try Command("sqlite3", [database, sql]).run().status == 0)
        let result = try erase("--account", "gone-person")
        #expect(result.output.contains("2 records of decisions"), "\(result)")
        #expect(try lines("SELECT subject, note FROM decision") == ["\(account)|-"])
        #expect(try !isLeft("gone-person"))
        try check()
    }

    @Test("One identifier is needed")
    func usage() throws {
        #expect(try erase().status == 64)
        #expect(try erase("--account", "a", "--device", "b").status == 64)
        #expect(try Mill.run(["erase", "--account", "a", "--database", workdir.path("none")]).status == 66)
    }

    @Test("compact says what is free, and gives it back")
    func compact() throws {
        let ballast = "CREATE TABLE ballast AS SELECT randomblob(2000000) AS bytes; DROP TABLE ballast"
        try #require(try Command("sqlite3", [database, ballast]).run().status == 0)
        let size = try workdir.read("mill.sqlite").count
        let plan = try Mill.run(["compact", "--database", database, "--dry-run"])
        #expect(plan.status == 0 && plan.output.hasSuffix("of them in free pages\n"), "\(plan)")
        #expect(try workdir.read("mill.sqlite").count == size)
        #expect(try Mill.run(["compact", "--database", database]).status == 0)
        #expect(try workdir.read("mill.sqlite").count < size - 1_900_000)
        try check()
    }
}
