internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// What a pipeline file calls suspicious, and the alarms that end a night in which all was loaded.
@Suite struct RunAlarmTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    @Test("Versions listed for an app make others unexpected")
    func appVersions() throws {
        try deliver()
        #expect(try Mill.run(["run", try write()]).status == 0)
        let sql = "SELECT count(*) FROM fraud_signals WHERE signal = 'unexpected_version'"
        #expect(try lines(sql) == ["0"])
        let most = try lines(
            """
            SELECT bundle_id, app_version, count(*) FROM submissions JOIN receipts USING (receipt_sha256, verdict)
            WHERE verdict = 'trusted' GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 1
            """)[0].split(separator: "|")
        let all = try #require(
            Int(
                try lines(
                    """
                    SELECT count(*) FROM submissions JOIN receipts USING (receipt_sha256, verdict)
                    WHERE verdict = 'trusted' AND bundle_id = '\(most[0])'
                    """)[0]))
        let file = try write("apps:\n  - {bundle: \(most[0]), versions: [\"\(most[1])\"]}\n")
        #expect(try Mill.run(["run", file]).status == 0)
        #expect(try lines(sql) == ["\(all - (Int(most[2]) ?? 0))"])
        #expect(all > Int(most[2]) ?? 0)
    }

    @Test("Thresholds of signals replace those of the database")
    func thresholds() throws {
        try deliver()
        let sql = "SELECT name, value FROM signal_settings WHERE value IN (7, 8, 60) ORDER BY name"
        let set = try Mill.run(["run", try write("signals: {shared_devices_high: 8, burst_submissions: 7}\n")])
        #expect(set.status == 0, "\(set)")
        #expect(try lines(sql) == ["burst_submissions|7", "refund_reuse_days|60", "shared_devices_high|8"])
        // A file without the key leaves them, one with it has the last word.
        #expect(try Mill.run(["run", try write()]).status == 0)
        #expect(try lines(sql) == ["burst_submissions|7", "refund_reuse_days|60", "shared_devices_high|8"])
        #expect(try Mill.run(["run", try write("signals: {shared_devices_high: 7}\n")]).status == 0)
        #expect(try lines(sql) == ["refund_reuse_days|60", "shared_devices_high|7"])
    }

    @Test("An unknown threshold is reported with its line")
    func unknownThreshold() throws {
        let result = try Mill.run(["run", try write("signals:\n  shared_device_high: 8\n")])
        #expect(result.status == 78 && result.errors.contains("night.yaml:7"), "\(result)")
        #expect(result.errors.contains("did you mean shared_devices_high?"))
    }

    @Test("A member of signed data that no run had met raises an alarm, once")
    func unknownMembers() throws {
        let store = try SignedStringStore()
        _ = try workdir.write(store.root.der, to: "root.der")
        func deliver(_ payload: String, _ name: String) throws {
            try FileManager.default.createDirectory(
                at: workdir.url.appending(path: "in"), withIntermediateDirectories: true)
            _ = try workdir.write(try store.sign(payload) + "\n", to: "in/\(name).jsonl")
        }
        func run(_ more: String = "") throws -> Mill.Result {
            let file = try workdir.write(
                "database: mill.sqlite\ncreate: true\ntrust: {anchors: [root.der]}\narchives:\n"
                    + "  - path: in/*.jsonl\n\(more)",
                to: "night.yaml")
            return try Mill.run(["run", file])
        }
        try deliver(Documents2026.instalment, "monday")
        #expect(try run().status == 0)
        try deliver(Documents2026.tomorrow, "tuesday")
        let alarmed = try run()
        #expect(alarmed.status == 65 && alarmed.errors.contains("unknown_members"), "\(alarmed)")
        #expect(alarmed.errors.contains("loyalty (object) in signed_transaction"), "\(alarmed.errors)")
        try deliver(Documents2026.tomorrow.replacing("6001", with: "6002"), "wednesday")
        #expect(try run().status == 0)
        try deliver(Documents2026.tomorrow.replacing("loyalty", with: "bonus"), "thursday")
        #expect(try run("alarms: {unknown_members: false}\n").status == 0)
    }

    @Test("Alarms end the run with a message and an exit status")
    func alarms() throws {
        try deliver()
        let cases: [(String, Int32, String)] = [
            ("alarms: {rejected_share: 0.0001}\n", 65, "too_many_rejected"),
            ("alarms: {no_rows: [{name: device-hash-mismatches}]}\n", 65, "report_has_rows"),
            ("environments: [Xcode]\n", 65, "unexpected_environment"),
        ]
        for (keys, status, alarm) in cases {
            try? FileManager.default.removeItem(atPath: workdir.path("mill.sqlite"))
            let result = try Mill.run(["run", try write(keys)])
            #expect(result.status == status, "\(result)")
            #expect(
                try records(result.errors).contains {
                    $0["alarm"] == alarm && $0["level"] == "error" && $0["time"] != nil
                })
        }
    }

    @Test(
        "Wrong anchors are no green night, and name the archive",
        arguments: ["after: keep", "after: move, move_to: done", "after: delete"])
    func wrongAnchors(after: String) throws {
        try deliver()
        func file(_ more: String) throws -> String {
            try workdir.write(
                "database: mill.sqlite\ncreate: true\narchives:\n  - {path: in/*.gz, \(after)}\n"
                    + "dead_letters: {file: letters.gz}\n\(more)", to: "night.yaml")
        }
        let night = try file("")
        let plan = try Mill.run(["run", night, "--dry-run"])
        #expect(plan.output.contains("alarm if more than 0.5 of the lines hold what is not trusted"), "\(plan)")
        let result = try Mill.run(["run", night, "--format", "json"])
        #expect(result.status == 65 && result.output.contains(#""cause":"too_many_untrusted""#), "\(result)")
        let told =
            "286 of 286 lines that hold a document hold one that is not trusted, more than untrusted_share 0.5 allows"
        #expect(result.errors.contains("\(told): \(workdir.path("in/a.gz")) (286)"), "\(result)")
        // The only copy of what another anchor would make trusted is not deleted, in the next night either.
        let again = try Mill.run(["run", night])
        #expect(again.status == 0, "\(again)")
        #expect(exists("in/a.gz") == !after.contains("move") && exists("done/a.gz") == after.contains("move"))
        if after.contains("delete") {
            #expect(
                again.errors.contains("holds the only copy of documents that are not trusted, in 286 of"), "\(again)")
            #expect(try Mill.run(["run", try file("alarms: {untrusted_share: 1}\n")]).status == 0)
            #expect(!exists("in/a.gz"))
        }
    }

    @Test("With a share of 1 no night is too untrusted, and a trusted one is not with the least")
    func untrustedShare() throws {
        try deliver()
        let silent = try workdir.write(
            "database: m.sqlite\ncreate: true\narchives:\n  - {path: in/*.gz}\nalarms: {untrusted_share: 1}\n",
            to: "silent.yaml")
        #expect(try Mill.run(["run", silent]).status == 0)
        // 21 of its 286 lines with a document hold one that is not trusted, as the sample's truth has it.
        let below = try Mill.run(["run", try write("alarms: {untrusted_share: 0.08}\n")])
        let untrusted = try lines(
            """
            SELECT count(*) FROM submissions JOIN receipts USING (receipt_sha256, verdict) WHERE verdict <> 'trusted'
            """)[0]
        try #require(Int(untrusted).map { $0 < 22 } == true, "\(untrusted)")
        #expect(below.status == 0, "\(below)")
        try FileManager.default.removeItem(atPath: workdir.path("mill.sqlite"))
        let above = try Mill.run(["run", try write("alarms: {untrusted_share: 0.05}\n")])
        #expect(above.status == 65 && above.errors.contains("\(untrusted) of 286 lines"), "\(above)")
    }

    @Test("New signals raise an alarm once, whichever run has found them")
    func newSignals() throws {
        let file = try write(
            "alarms: {no_rows: [{name: fraud-signals, parameters: {by: line, found: last-run, least: high}}]}\n",
            archives: "  - path: in/*\n")
        try deliver()
        let first = try Mill.run(["run", file])
        #expect(first.status == 65 && first.errors.contains("the report fraud-signals has"), "\(first)")
        #expect(try Mill.run(["run", file]).status == 0)
        let high = try #require(
            try lines("SELECT line FROM fraud_signals WHERE signal = 'forged_signature' ORDER BY line").first)
        let script = "gzip -dc '\(Samples.archive)' | sed -n \(high)p > again.jsonl"
        let copy = try Command("sh", ["-c", script], in: workdir.url)
        #expect(try copy.run().status == 0)
        let loaded = try Mill.run([
            "ingest", workdir.path("again.jsonl"), "--trust", Samples.root, "--database", workdir.path("mill.sqlite"),
        ])
        #expect(loaded.status == 0, "\(loaded)")
        let third = try Mill.run(["run", file])
        #expect(third.status == 65 && third.errors.contains("the report fraud-signals has 1 row "), "\(third)")
        #expect(try Mill.run(["run", file]).status == 0)
    }

    @Test("Subjects that the file allows make no case, and their evidence stays")
    func allowed() throws {
        try deliver()
        #expect(try Mill.run(["run", try write()]).status == 0)
        let evidence = try lines("SELECT count(*) FROM fraud_signals")
        let cases = "SELECT subject_kind, subject FROM fraud_cases ORDER BY 1, 2"
        let all = try lines(cases)
        let subjects = ["account", "device", "installation", "receipt"].compactMap { kind in
            all.first { $0.hasPrefix("\(kind)|") && !$0.contains(":") }
        }
        try #require(subjects.count == 4)
        let names = subjects.map { $0.split(separator: "|")[1] }
        // A device in another notation than its lines have.
        let device = names[1].contains("-") ? names[1].lowercased().replacing("-", with: "") : String(names[1])
        let keys = """
            {accounts: ["\(names[0])"], devices: ["\(device)"], installations: [\(names[2])], receipts: [\(names[3])]}
            """
        #expect(try Mill.run(["run", try write("fraud: {allow: \(keys)}\n")]).status == 0)
        #expect(try lines(cases) == all.filter { !subjects.contains($0) })
        #expect(try lines("SELECT count(*) FROM fraud_signals") == evidence)
        let unsettled = "SELECT count(*) FROM fraud_signals WHERE account_id = '\(names[0])' AND is_settled = 0"
        #expect(try lines(unsettled) == ["0"])
        // A file without the key leaves them, one with it has the last word.
        #expect(try Mill.run(["run", try write()]).status == 0)
        #expect(try lines(cases).count == all.count - 4)
        #expect(try Mill.run(["run", try write("fraud: {allow: {}}\n")]).status == 0)
        #expect(try lines(cases) == all)
    }

    @Test("An archive that is missing for days raises an alarm")
    func archiveMissing() throws {
        try deliver()
        let file = try write("alarms: {archive_missing_days: 2}\n")
        #expect(try Mill.run(["run", file]).status == 0)
        try DatabaseQueue(path: workdir.path("mill.sqlite")).write { db in
            try db.execute(sql: "UPDATE archive_place SET found_at = found_at - 172900000")
        }
        let result = try Mill.run(["run", file])
        #expect(result.status == 66 && result.errors.contains("archive_missing"))
        let found = try lines("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', found_at / 1000, 'unixepoch') FROM archive_place")[
            0]
        #expect(result.errors.contains("for 2 days; the last was a.gz, \(found)"), "\(result)")
        let absent = try Mill.run(["run", try write(archives: "  - path: in/none.gz\n")])
        #expect(absent.status == 66 && absent.errors.contains("none.gz"))
    }

    @Test("Entries whose archives have the same name are checked separately")
    func missingByEntry() throws {
        let file = try write(
            "alarms: {archive_missing_days: 2}\n",
            archives: "  - path: in/*/a.gz\n  - {path: us/*.gz, order: modified}\n")
        for folder in ["in", "in/eu", "us"] { try #require(mkdir(workdir.path(folder), 0o700) == 0) }
        for folder in ["in/eu", "us"] {
            try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("\(folder)/a.gz"))
        }
        #expect(try Mill.run(["run", file]).status == 0)
        for (silent, told) in [("%/eu", "in/*/a.gz"), ("%/us", "us/*.gz")] {
            try DatabaseQueue(path: workdir.path("mill.sqlite")).write { db in
                try db.execute(
                    sql: "UPDATE archive_place SET found_at = unixepoch() * 1000 - iif(folder LIKE ?, 172900000, 0)",
                    arguments: [silent])
            }
            let result = try Mill.run(["run", file])
            #expect(
                result.status == 66 && result.errors.contains("no archive of \(workdir.path(told)) has"), "\(result)")
            #expect(result.errors.split(separator: "\n").count == 1)
        }
    }
}
