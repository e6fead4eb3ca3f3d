internal import Foundation
internal import GRDB
internal import Testing

/// Runs of `receiptmill ingest` that are killed, kept out, or met by a database
/// of another making.
@Suite struct InterruptedIngestTests {
    private static let samples: URL = {
        var place = URL(filePath: #filePath)
        for _ in 0..<3 { place.deleteLastPathComponent() }
        return place.appending(path: "data-samples")
    }()

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "receiptmill-kill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }
    private var sample: String { Self.samples.appending(path: "receipts-001.jsonl.gz").path }

    /// Receipts among lines that are many and cheap.
    private func archives() throws -> [String] {
        let padding = Data(String(repeating: "{\"account_id\":\"nobody\"}\n", count: 67_500).utf8)
        return [sample]
            + (try ["a", "b"].map { name in
                try (Data("{\"archive\":\"\(name)\"}\n".utf8) + padding).write(to: folder.appending(path: name))
                return path(name)
            })
    }

    private func arguments(_ archives: [String], _ database: String) -> [String] {
        ["ingest"] + archives
            + ["--database", path(database), "--trust", Self.samples.appending(path: "root.pem").path, "--quiet"]
    }

    private func lines(_ database: String, _ sql: String) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path(database), configuration: configuration).read { db in
            try Row.fetchAll(db, sql: sql).map { "\($0)" }
        }
    }

    private static let views = [
        "rejections": "*", "submissions": "*", "receipts": "*", "purchases": "*", "claimed_purchases": "*",
        "receipt_purchases": "*", "app_owners": "*", "fraud_signals": "*",
        "archives": "name, sha256, bytes, lines, loaded_lines, complete",
    ]

    /// Views that differ, compared by SQLite: there are too many rows to bring here.
    private func differences(between database: String, and other: String) throws -> [String] {
        try DatabaseQueue(path: path(database)).writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH ? AS other", arguments: [path(other)])
            return try Self.views.filter { view, columns in
                let (own, others) = ("SELECT \(columns) FROM main.\(view)", "SELECT \(columns) FROM other.\(view)")
                let isSame = try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT (SELECT count(*) FROM (\(own))) = (SELECT count(*) FROM (\(others)))
                            AND NOT EXISTS (\(own) EXCEPT \(others))
                        """)
                return isSame != true
            }.map(\.key)
        }
    }

    private func settled(_ database: String) -> Int {
        let found = try? lines(database, "SELECT sum(lines) AS n FROM archives")
        return found?.first.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    @Test func killedRunsLoseNothingAndRepeatNothing() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let archives = try archives()
        #expect(try Mill.run(arguments(archives, "whole.sqlite")).status == 0)

        var kills = 0
        for _ in 0..<3 {
            let before = settled("killed.sqlite")
            let process = Process()
            process.executableURL = Mill.binary
            process.arguments = arguments(archives, "killed.sqlite")
            process.standardError = FileHandle.nullDevice
            try process.run()
            while process.isRunning, settled("killed.sqlite") <= before { Thread.sleep(forTimeInterval: 0.005) }
            if kills == 0, process.isRunning {
                // Still it holds the database; another run is told to come later.
                kill(process.processIdentifier, SIGSTOP)
                let other = try Mill.run(arguments([sample], "killed.sqlite"))
                #expect(other.status == 75)
                #expect(other.errors.contains("another run is loading into this database"))
            }
            if process.isRunning { kills += 1 }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        #expect(kills > 1, "the runs ended before they could be killed")
        #expect(try Mill.run(arguments(archives, "killed.sqlite")).status == 0)
        #expect(try differences(between: "killed.sqlite", and: "whole.sqlite").isEmpty)
    }

    /// Begins a run and returns when it has settled some lines.
    private func begin(_ archives: [String], _ database: String, _ options: String...) throws -> Process {
        let process = Process()
        process.executableURL = Mill.binary
        process.arguments = arguments(archives, database) + options
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, settled(database) == 0 { Thread.sleep(forTimeInterval: 0.005) }
        return process
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func runsAskedToStopKeepTheirProgressAndEndWith75(signal: Int32) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let archives = try archives()
        #expect(try Mill.run(arguments(archives, "whole.sqlite")).status == 0)
        let process = try begin(archives, "stopped.sqlite")
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 75)
        let progress = settled("stopped.sqlite")
        #expect(progress > 0 && progress < settled("whole.sqlite"))
        #expect(try lines("stopped.sqlite", "SELECT outcome FROM runs") == [#"[outcome:"stopped"]"#])
        #expect(try Mill.run(arguments(archives, "stopped.sqlite")).status == 0)
        #expect(try differences(between: "stopped.sqlite", and: "whole.sqlite").isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func aRunThatWaitsForAPipeEndsWhenItIsAskedToStop() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try #require(mkfifo(path("pipe"), 0o600) == 0)
        let process = Process()
        process.executableURL = Mill.binary
        process.arguments = arguments([sample, path("pipe")], "mill.sqlite")
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It can be opened as soon as it is read, and nothing is written to it.
        var writer: Int32 = -1
        while process.isRunning, writer < 0 {
            Thread.sleep(forTimeInterval: 0.1)
            writer = open(path("pipe"), O_WRONLY | O_NONBLOCK)
        }
        defer { close(writer) }
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 75)
        #expect(try lines("mill.sqlite", "SELECT outcome, archives FROM runs") == [#"[outcome:"stopped" archives:1]"#])
    }

    /// Whether a signal was sent that no thread has taken (proc(5), `ShdPnd`).
    private func isPending(_ signal: Int32, _ process: Process) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let mask = status?.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }?.split(separator: "\t").last
        return mask.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << (signal - 1) != 0 } ?? false
    }

    /// As timeout(1) sends them: to the process, then to its group.
    @Test func signalsThatComeTogetherAreOneWish() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try begin(archives(), "stopped.sqlite")
        // Held still, so that it can't end between the two.
        kill(process.processIdentifier, SIGSTOP)
        kill(process.processIdentifier, SIGTERM)
        kill(process.processIdentifier, SIGINT)
        kill(process.processIdentifier, SIGCONT)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 75)
    }

    @Test func aSecondSignalEndsAtOnceAndLosesNothing() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let archives = try archives()
        #expect(try Mill.run(arguments(archives, "whole.sqlite")).status == 0)
        let process = try begin(archives, "ended.sqlite")
        kill(process.processIdentifier, SIGTERM)
        while process.isRunning, isPending(SIGTERM, process) { usleep(200) }
        // It has heeded the first; held still, so that it can't end before the second.
        usleep(1_000)
        kill(process.processIdentifier, SIGSTOP)
        Thread.sleep(forTimeInterval: 1.2)
        kill(process.processIdentifier, SIGINT)
        kill(process.processIdentifier, SIGCONT)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(try Mill.run(arguments(archives, "ended.sqlite")).status == 0)
        #expect(try differences(between: "ended.sqlite", and: "whole.sqlite").isEmpty)
    }

    @Test func aRunThatWaitsGoesOnWhenTheOtherHasEnded() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try begin(try archives(), "mill.sqlite")
        // Held still, so that it can't end before the other begins.
        kill(first.processIdentifier, SIGSTOP)
        let second = Process()
        second.executableURL = Mill.binary
        second.arguments = arguments([sample], "mill.sqlite") + ["--wait"]
        try second.run()
        Thread.sleep(forTimeInterval: 0.5)
        #expect(second.isRunning)
        kill(first.processIdentifier, SIGCONT)
        first.waitUntilExit()
        second.waitUntilExit()
        #expect(first.terminationStatus == 0 && second.terminationStatus == 0)
        #expect(try lines("mill.sqlite", "SELECT count(*) FROM runs WHERE outcome = 'done'") == ["[count(*):2]"])
    }

    @Test func aRunThatNeverSaidHowItEndedIsMarked() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try begin(try archives(), "mill.sqlite")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try Mill.run(arguments([sample], "mill.sqlite")).status == 0)
        #expect(
            try lines(
                "mill.sqlite", "SELECT outcome, ended_at IS NULL AS open, lines > 0 AS some FROM runs ORDER BY run_id")
                == [#"[outcome:"interrupted" open:1 some:1]"#, #"[outcome:"done" open:0 some:0]"#])
    }

    @Test func databasesOfNewerVersionsAndOthersAreRefusedWhole() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try Mill.run(arguments([sample], "newer.sqlite")).status == 0)
        try DatabaseQueue(path: path("newer.sqlite")).write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('v999')")
        }
        let newer = try Mill.run(arguments([sample], "newer.sqlite"))
        #expect(newer.status == 73)
        #expect(newer.errors.contains("newer.sqlite: the database was written by a newer version of receiptmill"))

        try DatabaseQueue(path: path("foreign.sqlite")).write { db in
            try db.execute(sql: "CREATE TABLE song (title TEXT)")
        }
        let foreign = try Mill.run(arguments([sample], "foreign.sqlite"))
        #expect(foreign.status == 73)
        #expect(foreign.errors.contains("foreign.sqlite: the database holds another program's tables"))
        #expect(try lines("foreign.sqlite", "SELECT name FROM sqlite_schema") == [#"[name:"song"]"#])
    }

    @Test func erasFollowTheAppsThatAreSet() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try Mill.run(arguments([sample], "mill.sqlite")).status == 0)
        #expect(try lines("mill.sqlite", "SELECT DISTINCT era FROM app_owners") == [#"[era:"unknown"]"#])
        let app = try #require(
            try lines(
                "mill.sqlite",
                """
                SELECT bundle_id FROM app_owners WHERE environment = 'Production' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1
                """
            ).first?.split(separator: "\"").dropFirst().first.map(String.init))
        // The sample is known; the setting holds all the same.
        for (version, era) in [("0.0.1", "free"), ("999", "paid")] {
            let result = try Mill.run(arguments([sample], "mill.sqlite") + ["--app", "\(app):\(version):ios"])
            #expect(result.status == 0)
            let eras = try lines(
                "mill.sqlite",
                """
                SELECT DISTINCT era FROM app_owners
                WHERE environment = 'Production' AND bundle_id = '\(app)' AND original_application_version IS NOT NULL
                """)
            #expect(eras == ["[era:\"\(era)\"]"])
        }
        #expect(try Mill.run(arguments([sample], "mill.sqlite") + ["--app", ":1"]).status == 64)
    }
}
