internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill flag`, and the queue that it works off.
@Suite struct FlagCommandTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        try Samples.copyDatabase(into: workdir)
    }

    private func flag(_ arguments: String..., database: String? = nil) throws -> Mill.Result {
        try Mill.run(["flag", "--database", database ?? self.database] + arguments)
    }

    private func lines(_ sql: String) throws -> [String] { try Stored(database).lines(sql) }

    private func heaviest() throws -> String {
        try #require(
            try lines("SELECT subject FROM fraud_cases WHERE subject_kind = 'account' ORDER BY score DESC, subject")
                .first)
    }

    private func isOpen(_ subject: String) throws -> [String] {
        try lines("SELECT coalesce(decision, '-'), is_open, new_signals FROM fraud_cases WHERE subject = '\(subject)'")
    }

    @Test("A case holds what the signals of its subject are")
    func cases() throws {
        let subject = try heaviest()
        let signals = "FROM fraud_signals WHERE account_id = '\(subject)'"
        let points = "max(CASE severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END)"
        #expect(
            try lines("SELECT score, signals, first_seen, last_seen FROM fraud_cases WHERE subject = '\(subject)'")
                == lines(
                    """
                    SELECT (SELECT sum(points) FROM (SELECT \(points) AS points \(signals) GROUP BY signal)),
                        count(DISTINCT signal), min(observed_at), max(observed_at) \(signals)
                    """))
        let accounts = """
            SELECT count(DISTINCT account_id) FROM fraud_signals WHERE coalesce(environment, '') NOT LIKE '%Sandbox'
            """
        #expect(try lines("SELECT count(*) FROM fraud_cases WHERE subject_kind = 'account'") == lines(accounts))
        let queue = try Mill.run([
            "report", "fraud-queue", "kind=account", "--database", database, "--format", "csv", "--param", "top=3",
        ])
        let order = "ORDER BY score DESC, last_seen DESC, subject LIMIT 3"
        let expected = try lines("SELECT subject FROM fraud_cases WHERE subject_kind = 'account' \(order)")
        let rows = queue.output.split(whereSeparator: \.isNewline).dropFirst().map { $0.split(separator: ",") }
        #expect(queue.status == 0 && rows.map { String($0[2]) } == expected, "\(queue)")
    }

    @Test("A case says why: its three gravest kinds of signals, in the queue and at the beginning of its file")
    func why() throws {
        let subject = try heaviest()
        let points = "max(CASE severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END)"
        let kinds = try lines(
            "SELECT signal FROM fraud_signals WHERE account_id = '\(subject)' GROUP BY signal "
                + "ORDER BY \(points) DESC, count(DISTINCT archive || ':' || line) DESC, signal")
        let why = try #require(try lines("SELECT why FROM fraud_cases WHERE subject = '\(subject)'").first)
        let named = why.replacing(/\ \(\d+ lines\)/, with: "")
        let others = kinds.count > 3 ? " and \(kinds.count - 3) more" : ""
        #expect(named == kinds.prefix(3).joined(separator: ", ") + others)
        let asked = ["report", "fraud-case", subject, "--database", database, "section=case", "--format", "csv"]
        let file = try Mill.run(asked + ["--columns", "detail"])
        let score = try lines("SELECT score || ' points, ' || signals FROM fraud_cases WHERE subject = '\(subject)'")[0]
        let inShort = "\"account \(subject): \(score) kinds of evidence: \(why)\""
        #expect(file.output.hasPrefix("detail\r\n\(inShort)\r\n"), "\(file)")
        let counted = try lines(
            "SELECT signal || ',' || count(DISTINCT archive || ':' || line) FROM fraud_signals "
                + "WHERE account_id = '\(subject)' GROUP BY signal ORDER BY signal")
        let shown = try Mill.run(asked + ["--columns", "event,submissions"]).output.split(separator: "\r\n")
        #expect(shown.dropFirst(2).map(String.init) == counted)
        #expect(score.hasSuffix(", \(counted.count)"))
        let unknown = try Mill.run(["report", "fraud-case", "nobody", "--database", database, "section=case"])
        #expect(unknown.errors.contains("the database holds nothing of nobody in the section case"), "\(unknown)")
    }

    @Test("Evidence counts one device as one device")
    func singular() throws {
        let details = try lines("SELECT DISTINCT detail FROM fraud_signals WHERE signal LIKE 'shared_%'")
        #expect(details.contains { $0.contains("1 device ") || $0.hasPrefix("1 account ") })
        #expect(!details.contains { " \($0)".contains(" 1 devices") || " \($0)".contains(" 1 accounts") })
    }

    @Test("An innocent case is closed until there is a signal of another kind, and evidence stays as it is")
    func innocent() throws {
        let subject = try heaviest()
        let evidence = try lines("SELECT count(*) FROM fraud_signals")
        let result = try flag("account:\(subject)", "--as", "innocent", "--note", "our tester", "--by", "Ada")
        #expect(result.status == 0 && result.output == "1 of 1 decisions are new: 1 innocent\n", "\(result)")
        #expect(try isOpen(subject) == ["innocent|0|0"])
        #expect(try lines("SELECT note, decided_by, decision FROM fraud_decisions") == ["our tester|Ada|innocent"])
        #expect(try lines("SELECT count(*) FROM fraud_signals") == evidence)
        let queue = try Mill.run(["report", "fraud-queue", "--database", database, "--format", "csv"])
        #expect(!queue.output.contains(",\(subject),"), "\(queue)")
        // As if one of its kinds had not been known then.
        let forget = "DELETE FROM decision_signal WHERE signal = (SELECT min(signal) FROM decision_signal)"
        try #require(try Command("sqlite3", [database, forget]).run().status == 0)
        #expect(try isOpen(subject) == ["innocent|1|1"])
        #expect(try Mill.run(["check", "--database", database]).status == 0)
    }

    @Test("A watched case stays open, and a decision can be taken back")
    func undo() throws {
        let subject = try heaviest()
        #expect(try flag(subject, "--as", "watching").status == 0)
        #expect(try isOpen(subject) == ["watching|1|0"])
        Waiting.untilNextSecond()
        #expect(try flag(subject, "--undo").status == 0)
        #expect(try isOpen(subject).first?.hasPrefix("-|1|") == true)
        #expect(try lines("SELECT decision FROM fraud_decisions ORDER BY decision_id") == ["watching", "undone"])
    }

    @Test("Decisions go to another database of the same archives as a file, once")
    func transfer() throws {
        let subject = try heaviest()
        #expect(try flag(subject, "--as", "confirmed", "--note", "\"quoted\", äöü", "--by", "Ada").status == 0)
        let list = try flag("--list")
        #expect(list.output.split(separator: "\n").count == 1, "\(list)")
        let file = try workdir.write(list.output, to: "decisions.jsonl")
        let other = try Workdir()
        try Samples.copyDatabase(into: other)
        for output in ["1 of 1 decisions are new: 1 confirmed\n", "0 of 1 decisions are new\n"] {
            let result = try flag("--file", file, database: other.path("mill.sqlite"))
            #expect(result.status == 0 && result.output == output, "\(result)")
        }
        #expect(try flag("--list", database: other.path("mill.sqlite")).output == list.output)
    }

    /// An archive of lines of the sample, at another time, by one account.
    private func archive(of places: [String], by account: String, at time: String) throws -> String {
        let text = try Command("gzip", ["-dc", Samples.archive]).run().output
        let lines = text.split(separator: "\n")
        let objects = try places.map { place in
            let line = lines[try #require(Int(place)) - 1]
            var object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String], "\(line.prefix(80))")
            object["account_id"] = account
            object["submitted_at"] = time
            return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        }
        return try workdir.write(objects.joined(separator: "\n") + "\n", to: "\(time.prefix(10)).jsonl")
    }

    private func ingest(_ archive: String) throws {
        let result = try Mill.run([
            "ingest", archive, "--trust", Samples.root, "--database", database, "--quiet",
        ])
        #expect(result.status == 0, "\(result)")
    }

    @Test("What is innocent comes back with evidence of a new kind alone, as the next nights bring it")
    func nextNights() throws {
        // A line with a receipt of another device's, and one with a forgery.
        let plain = "AND line IN (SELECT line FROM submissions WHERE account_id IS NOT NULL AND device_id IS NOT NULL)"
        func places(_ signal: String) throws -> [String] {
            try lines("SELECT line FROM fraud_signals WHERE signal = '\(signal)' \(plain) ORDER BY line LIMIT 1")
        }
        let (copied, forged) = (try places("hash_mismatch"), try places("forged_signature"))
        try ingest(archive(of: copied, by: "late", at: "2025-06-01T00:00:00Z"))
        let first = try #require(try lines("SELECT signals FROM fraud_cases WHERE subject = 'late'").first)
        #expect(try isOpen("late") == ["-|1|\(first)"])
        #expect(try flag("late", "--as", "innocent").status == 0)
        #expect(try isOpen("late") == ["innocent|0|0"])
        let news = {
            try Mill.run([
                "report", "fraud-signals", "--param", "by=line", "--param", "found=last-run", "--database", database,
                "--columns", "signal,severity,account_id", "--format", "csv",
            ])
        }
        try ingest(archive(of: copied, by: "late", at: "2025-06-02T00:00:00Z"))
        #expect(try isOpen("late") == ["innocent|0|0"])
        #expect(try !news().output.contains(",late"))
        try ingest(archive(of: forged, by: "late", at: "2025-06-03T00:00:00Z"))
        #expect(try isOpen("late") == ["innocent|1|1"])
        let shown = try news().output.split(whereSeparator: \.isNewline).filter { $0.contains(",late") }
        #expect(shown.count == 1 && shown[0].hasPrefix("forged_signature,high,"), "\(shown)")
    }

    @Test("An installation is a case, which is decided like others")
    func installation() throws {
        let subject = try #require(
            try lines(
                "SELECT subject FROM fraud_cases WHERE subject_kind = 'installation' ORDER BY score DESC, subject"
            ).first)
        let receipts = "SELECT receipt_sha256 FROM receipts WHERE lineage = '\(subject)' AND verdict = 'trusted'"
        #expect(
            try lines("SELECT score, signals FROM fraud_cases WHERE subject = '\(subject)'")
                == lines(
                    """
                    SELECT sum(points), count(*) FROM (
                        SELECT max(CASE severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END) AS points
                        FROM fraud_signals
                        WHERE receipt_sha256 IN (\(receipts)) AND coalesce(environment, '') NOT LIKE '%Sandbox'
                        GROUP BY signal)
                    """))
        #expect(try flag("installation:\(subject)", "--as", "confirmed").status == 0)
        #expect(try isOpen(subject) == ["confirmed|0|0"])
    }

    @Test("A queue that a spreadsheet has filled in is worked off at once, and only once")
    func table() throws {
        let queue = try Mill.run(["report", "fraud-queue", "--database", database, "--format", "csv"]).output
        var rows = queue.split(whereSeparator: \.isNewline).map(String.init)
        let column = try #require(rows[0].split(separator: ",").firstIndex(of: "decision"))
        func filled(_ row: String, _ decision: String) -> String {
            var fields = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            fields[column] = decision
            return fields.joined(separator: ",")
        }
        for index in 1...2 { rows[index] = filled(rows[index], index == 1 ? "innocent" : "Watching") }
        let file = try workdir.write(rows.joined(separator: "\n"), to: "queue.csv")
        let others = "\(rows.count - 3) rows without a decision"
        #expect(
            try flag("--file", file, "--by", "Ada").output
                == "2 of 2 decisions are new: 1 innocent, 1 watching; passed over: \(others)\n")
        #expect(
            try flag("--file", file, "--by", "Ada").output
                == "0 of 0 decisions are new; passed over: \(others), 2 rows decided so before\n")
        let subjects = rows[1...2].map { $0.split(separator: ",")[2] }
        #expect(
            try lines("SELECT subject, decision, decided_by FROM fraud_decisions ORDER BY decision_id")
                == ["\(subjects[0])|innocent|Ada", "\(subjects[1])|watching|Ada"])

        let decided = try lines("SELECT subject_kind, subject, decision, decided_by, decided_at FROM fraud_decisions")
            .map {
                $0.replacing("|", with: ",")
            }
        let table = try workdir.write(
            (["subject_kind,subject,decision,decided_by,decided_at"] + decided).joined(separator: "\n"),
            to: "decided.csv")
        #expect(try flag("--file", table).output == "0 of 2 decisions are new\n")
        let bad = try workdir.write("subject_kind,subject,decision\naccount,4711,guilty\n", to: "bad.csv")
        let refused = try flag("--file", bad)
        #expect(refused.status == 65 && refused.errors.contains("bad.csv:2"), "\(refused)")
    }

    @Test("A table decides subjects of any name by the key beside the name")
    func names() throws {
        // ESC, a direction mark, NUL, white space before a formula, a line end, a quote, and what a spreadsheet
        // computes.
        let names = [
            "a\u{1b}[31m", "b\u{202e}c", "n\u{0}x", " =1+1", "line\nend", "\"q\"", "0012", "1e3", "é", "e\u{301}",
            " s ",
        ]
        let forged = try #require(
            try lines(
                """
                SELECT line FROM fraud_signals
                WHERE signal = 'forged_signature' AND account_id IS NOT NULL AND device_id IS NOT NULL
                ORDER BY line LIMIT 1
                """
            ).first)
        for (index, name) in names.enumerated() {
            try ingest(archive(of: [forged], by: name, at: "2025-06-\(10 + index)T00:00:00Z"))
        }
        let queue = try Mill.run([
            "report", "fraud-queue", "--database", database, "--format", "csv", "--param", "top=1000", "--columns",
            "subject_kind,subject_key,subject,decision,note",
        ]).output
        // The key as xxd writes it.
        #expect(queue.contains("account,x203d312b31,"), "\(queue)")
        for name in names {
            let key = "x" + name.utf8.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
            #expect(queue.contains("account,\(key),"), "\(name.debugDescription)")
        }
        let file = try workdir.write(queue.replacing(",,\r\n", with: ",innocent,\r\n"), to: "queue.csv")
        #expect(try flag("--file", file, "--by", "Ada").status == 0)
        let open = try lines("SELECT hex(subject) FROM fraud_cases WHERE subject_kind = 'account' AND is_open = 1")
        #expect(open == [])
        let decided = try lines("SELECT hex(subject) FROM fraud_decisions WHERE subject_kind = 'account'")
        for name in names {
            let hex = name.utf8.map { String(UInt16($0) + 256, radix: 16).dropFirst().uppercased() }.joined()
            #expect(decided.contains(hex), "\(name.debugDescription)")
        }
    }

    @Test("A table with a subject that no line names is refused, and a table without decisions is reported")
    func strangeTables() throws {
        let subject = try heaviest()
        let table = "subject_kind,subject,decision\naccount,\(subject),innocent\naccount,nobody,innocent\n"
        let refused = try flag("--file", workdir.write(table, to: "unknown.csv"))
        #expect(
            refused.status == 65 && refused.output.isEmpty
                && refused.errors.contains("unknown.csv:3: no line of this database names the account 'nobody'"),
            "\(refused)")
        #expect(try lines("SELECT count(*) FROM fraud_decisions") == ["0"])
        let key = try flag(
            "--file",
            workdir.write("subject_kind,subject,subject_key,decision\naccount,a,7530,innocent\n", to: "key.csv"))
        #expect(key.status == 65 && key.errors.contains("key.csv:2: subject_key '7530' is not x followed by"), "\(key)")
        let empty = try flag(
            "--file", workdir.write("subject_kind,subject,decision\naccount,\(subject),\n", to: "empty.csv"))
        #expect(
            empty.status == 0 && empty.errors.contains("empty.csv: the file has no decision")
                && empty.output == "0 of 0 decisions are new; passed over: 1 row without a decision\n", "\(empty)")
        let other = try flag(
            "--file", workdir.write(#"{"kind":"account","subject":"nobody","as":"innocent"}"#, to: "lines.jsonl"))
        #expect(
            other.status == 0
                && other.errors.contains("warning: no line of this database names the subject of 1 decision"),
            "\(other)")
    }

    @Test("Decisions stay through regrade and backup, and their file brings them to a database made anew")
    func survival() throws {
        let made = try Workdir()
        let kept = made.path("mill.sqlite")
        let load = ["ingest", Samples.archive, "--trust", Samples.root, "--quiet", "--keep-receipts", "--database"]
        #expect(try Mill.run(load + [kept]).status == 0)
        let cases = "SELECT subject_kind, subject, decision, note, is_open, new_signals FROM fraud_cases ORDER BY 1, 2"
        for kind in ["account", "device", "installation", "receipt"] {
            let subject = try #require(
                try Stored(kept).lines(
                    "SELECT subject FROM fraud_cases WHERE subject_kind = '\(kind)' ORDER BY score DESC, subject"
                ).first)
            let verdict = kind == "device" ? "watching" : "innocent"
            #expect(try flag("\(kind):\(subject)", "--as", verdict, "--note", "of \(kind)", database: kept).status == 0)
        }
        let decided = try Stored(kept).lines(cases)
        #expect(decided.count { !$0.contains("|-|-|") } == 4)
        let list = try flag("--list", database: kept).output

        let copy = made.path("copy.sqlite")
        #expect(try Mill.run(["backup", "--database", kept, copy]).status == 0)
        #expect(try Stored(copy).lines(cases) == decided)
        #expect(try Mill.run(["regrade", "--database", kept, "--trust", Samples.root]).status == 0)
        #expect(try Stored(kept).lines(cases) == decided)
        #expect(try Mill.run(["check", "--database", kept]).status == 0)

        let file = try made.write(list, to: "decisions.jsonl")
        let anew = made.path("anew.sqlite")
        #expect(try Mill.run(load + [anew]).status == 0)
        #expect(try flag("--file", file, database: anew).status == 0)
        #expect(try Stored(anew).lines(cases) == decided)
        #expect(try flag("--list", database: anew).output == list)
    }

    @Test("What is unknown or no decision is refused, and changes nothing")
    func refusals() throws {
        let unknown = try flag("nobody", "--as", "innocent")
        #expect(unknown.status == 65 && unknown.errors.contains("no line of this database names it"), "\(unknown)")
        let subject = try heaviest()
        #expect(try flag(subject, "nobody", "--as", "innocent").status == 65)
        let file = try workdir.write(
            #"{"kind":"account","subject":"a","as":"innocent"}"# + "\n{\"kind\":\"person\"}\n", to: "bad.jsonl")
        let bad = try flag("--file", file)
        #expect(bad.status == 65 && bad.errors.contains("bad.jsonl:2: is no decision"), "\(bad)")
        #expect(try lines("SELECT count(*) FROM fraud_decisions") == ["0"])
        for arguments in [[subject], ["--list", subject], [subject, "--as", "guilty"], [subject, "--as", "undone"]] {
            #expect(try Mill.run(["flag", "--database", database] + arguments).status == 64, "\(arguments)")
        }
        #expect(try flag(subject, "--as", "innocent", database: workdir.path("none")).status == 66)
    }
}
