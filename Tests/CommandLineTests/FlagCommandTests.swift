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
        let accounts = "SELECT count(DISTINCT account_id) FROM fraud_signals"
        #expect(try lines("SELECT count(*) FROM fraud_cases WHERE subject_kind = 'account'") == lines(accounts))
        let queue = try Mill.run([
            "report", "fraud-queue", "--database", database, "--format", "csv", "--param", "top=3",
        ])
        let order = "ORDER BY score DESC, last_seen DESC, subject LIMIT 3"
        let expected = try lines("SELECT subject FROM fraud_cases WHERE subject_kind = 'account' \(order)")
        let rows = queue.output.split(whereSeparator: \.isNewline).dropFirst().map { $0.split(separator: ",") }
        #expect(queue.status == 0 && rows.map { String($0[2]) } == expected, "\(queue)")
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
        #expect(result.status == 0 && result.output.isEmpty, "\(result)")
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
        sleep(1)
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
        for output in ["1 of 1 decisions are new\n", "0 of 1 decisions are new\n"] {
            let result = try flag("--file", file, database: other.path("mill.sqlite"))
            #expect(result.status == 0 && result.output == output, "\(result)")
        }
        #expect(try flag("--list", database: other.path("mill.sqlite")).output == list.output)
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
