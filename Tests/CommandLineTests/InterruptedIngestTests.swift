internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Runs of `receiptmill ingest` that are killed, kept out, or met by a database
/// of another making.
@Suite struct InterruptedIngestTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func path(_ name: String) -> String { workdir.path(name) }
    private var sample: String { Samples.archive }

    /// Receipts among lines that are many and cheap, or so long that several workers can't have them all in flight; and
    /// the database of a load that was not interrupted.
    private static let whole = Result {
        let workdir = try Workdir()
        let padding = String(repeating: "{\"account_id\":\"nobody\"}\n", count: 67_500)
        let long = String(repeating: "{\"account_id\":\"\(String(repeating: "n", count: 1 << 18))\"}\n", count: 130)
        let archives =
            try [Samples.archive]
            + [("a", padding), ("long", long)].map { name, lines in
                try workdir.write("{\"archive\":\"\(name)\"}\n" + lines, to: name)
            } + [workdir.write("account_id,jws\n" + String(repeating: "nobody,\n", count: 67_500), to: "table")]
        let database = workdir.path("whole.sqlite")
        #expect(try Mill.run(arguments(archives, database)).status == 0)
        return (workdir: workdir, archives: archives, database: database)
    }

    private func archives() throws -> [String] { try Self.whole.get().archives }

    private static func arguments(_ archives: [String], _ database: String) -> [String] {
        ["ingest"] + archives + ["--database", database, "--trust", Samples.root, "--max-rejected", "1", "--quiet"]
    }

    private func arguments(_ archives: [String], _ database: String) -> [String] {
        Self.arguments(archives, path(database))
    }

    private func lines(_ database: String, _ sql: String) throws -> [String] {
        try Stored(path(database), isReadOnly: true).lines(sql)
    }

    private static let views = [
        "rejections": "*", "submissions": "*", "receipts": "*", "purchases": "*", "claimed_purchases": "*",
        "receipt_purchases": "*", "app_owners": "*", "fraud_signals": "*",
        "archives": "name, sha256, bytes, lines, loaded_lines, complete",
    ]

    /// Views that differ from those of the whole load, compared by SQLite: there are
    /// too many rows to bring here.
    private func differencesFromWhole(_ database: String) throws -> [String] {
        let whole = try Self.whole.get().database
        return try DatabaseQueue(path: path(database)).writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH ? AS other", arguments: [whole])
            return try Self.views.filter { view, columns in
                let shown = columns == "*" ? try comparable(view, db) : columns
                let (own, others) = ("SELECT \(shown) FROM main.\(view)", "SELECT \(shown) FROM other.\(view)")
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

    /// A view's columns but those that each database numbers for itself.
    private func comparable(_ view: String, _ db: Database) throws -> String {
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [view])
            .filter { !Stored.ownColumns.contains($0) }.joined(separator: ", ")
    }

    private func processed(_ database: String) -> Int {
        let found = try? lines(database, "SELECT sum(lines) AS n FROM archives")
        return found?.first.flatMap { Int($0) } ?? 0
    }

    @Test("Killed runs lose no lines and repeat none")
    func killedRuns() throws {
        let archives = try archives()

        var kills = 0
        for _ in 0..<3 {
            let before = processed("killed.sqlite")
            let process = Process()
            process.executableURL = Mill.binary
            process.arguments = arguments(archives, "killed.sqlite")
            process.standardError = FileHandle.nullDevice
            try process.run()
            Waiting.until { !process.isRunning || processed("killed.sqlite") > before }
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
        #expect(try differencesFromWhole("killed.sqlite").isEmpty)
    }

    /// Begins a run and returns when it has processed some lines.
    private func begin(_ archives: [String], _ database: String, _ options: String...) throws -> Process {
        let process = Process()
        process.executableURL = Mill.binary
        process.arguments = arguments(archives, database) + options
        _ = FileManager.default.createFile(atPath: path("errors"), contents: nil)
        process.standardError = FileHandle(forWritingAtPath: path("errors"))
        try process.run()
        Waiting.until { !process.isRunning || processed(database) > 0 }
        return process
    }

    @Test("Runs asked to stop keep their progress and end with status 75", arguments: [(SIGTERM, 2), (SIGINT, 1)])
    func stoppedRuns(signal: Int32, workers: Int) throws {
        let archives = try archives()
        let whole = 300 + 2 * 67_501 + 131
        var (database, progress, status, errors) = ("", whole, Int32(0), "")
        // On a busy machine a run may have come to its last line before it is asked, or stop between two archives.
        for attempt in 0..<8 where progress == whole || errors.contains("between two archives") {
            database = "stopped-\(attempt).sqlite"
            let process = try begin(archives, database, "--jobs", "\(workers)")
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            (progress, status) = (processed(database), process.terminationStatus)
            errors = try String(contentsOfFile: path("errors"), encoding: .utf8)
        }
        #expect(progress > 0 && progress < whole && status == 75)
        #expect(try lines(database, "SELECT outcome FROM runs") == ["stopped"])
        // Also where nothing is said unless something is wrong.
        let last = try lines(database, "SELECT lines, name FROM archives WHERE complete = 0")
        let place = try #require(
            errors.firstMatch(of: /stopped as asked, behind line (\d+) of .*\/(.+?);/), "\(errors)")
        #expect(last == ["\(place.1)|\(place.2)"])
        #expect(errors.contains("hint: run the same command again: it goes on from there"), "\(errors)")
        #expect(try Mill.run(arguments(archives, database)).status == 0)
        #expect(try differencesFromWhole(database).isEmpty)
    }

    @Test("A run that waits for a pipe ends when it is asked to stop", .timeLimit(.minutes(1)))
    func stopAtPipe() throws {
        try #require(mkfifo(path("pipe"), 0o600) == 0)
        let process = Process()
        process.executableURL = Mill.binary
        process.arguments = arguments([sample, path("pipe")], "mill.sqlite")
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It can be opened as soon as it is read, and nothing is written to it.
        var writer: Int32 = -1
        Waiting.until {
            writer = open(path("pipe"), O_WRONLY | O_NONBLOCK)
            return writer >= 0 || !process.isRunning
        }
        defer { close(writer) }
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 75)
        #expect(try lines("mill.sqlite", "SELECT outcome, archives FROM runs") == ["stopped|1"])
    }

    /// Whether a signal was sent that no thread has taken (proc(5), `ShdPnd`).
    private func isPending(_ signal: Int32, _ process: Process) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let mask = status?.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }?.split(separator: "\t").last
        return mask.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << (signal - 1) != 0 } ?? false
    }

    /// As timeout(1) sends them: to the process, then to its group.
    @Test("Signals that come together count as one request to stop")
    func signalsTogether() throws {
        let process = try begin(archives(), "stopped.sqlite")
        // Held still, so that it can't end between the two.
        kill(process.processIdentifier, SIGSTOP)
        kill(process.processIdentifier, SIGTERM)
        kill(process.processIdentifier, SIGINT)
        kill(process.processIdentifier, SIGCONT)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 75)
    }

    @Test("A second signal ends the run at once, and no lines are lost")
    func secondSignal() throws {
        let archives = try archives()
        let process = try begin(archives, "ended.sqlite")
        kill(process.processIdentifier, SIGTERM)
        Waiting.until { !process.isRunning || !isPending(SIGTERM, process) }
        // It has taken the first; held still, so that it can't end before the second.
        kill(process.processIdentifier, SIGSTOP)
        // Within a second the second would be the same request as the first.
        let first = ContinuousClock.now
        Waiting.until { ContinuousClock.now - first > .seconds(1.2) }
        kill(process.processIdentifier, SIGINT)
        kill(process.processIdentifier, SIGCONT)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(try Mill.run(arguments(archives, "ended.sqlite")).status == 0)
        #expect(try differencesFromWhole("ended.sqlite").isEmpty)
    }

    @Test("A run with --wait goes on when the other has ended")
    func wait() throws {
        let first = try begin(try archives(), "mill.sqlite")
        // Held still, so that it can't end before the other begins.
        kill(first.processIdentifier, SIGSTOP)
        let second = Process()
        second.executableURL = Mill.binary
        second.arguments = arguments([sample], "mill.sqlite").filter { $0 != "--quiet" } + ["--wait", "5m"]
        let log = path("second-errors")
        #expect(FileManager.default.createFile(atPath: log, contents: nil))
        second.standardError = FileHandle(forWritingAtPath: log)
        try second.run()
        #expect(Waiting.until { (try? String(contentsOfFile: log, encoding: .utf8))?.contains("waiting:") == true })
        #expect(second.isRunning)
        kill(first.processIdentifier, SIGCONT)
        first.waitUntilExit()
        second.waitUntilExit()
        #expect(first.terminationStatus == 0 && second.terminationStatus == 0)
        #expect(try lines("mill.sqlite", "SELECT count(*) FROM runs WHERE outcome = 'done'") == ["2"])
    }

    @Test("The next run marks a run without an outcome as interrupted")
    func interruptedRun() throws {
        let process = try begin(try archives(), "mill.sqlite")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try Mill.run(arguments([sample], "mill.sqlite")).status == 0)
        #expect(
            try lines(
                "mill.sqlite", "SELECT outcome, ended_at IS NULL AS open, lines > 0 AS some FROM runs ORDER BY run_id")
                == ["interrupted|1|1", "done|0|0"])
    }

    @Test("Databases of newer versions and of other programs are refused")
    func refusedDatabases() throws {
        #expect(try Mill.run(arguments([sample], "newer.sqlite")).status == 0)
        try DatabaseQueue(path: path("newer.sqlite")).write { db in
            try db.execute(sql: "PRAGMA user_version = 999")
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
        #expect(try lines("foreign.sqlite", "SELECT name FROM sqlite_schema") == ["song"])
    }

    @Test("Eras follow the apps that are set, for known archives too")
    func eras() throws {
        #expect(try Mill.run(arguments([sample], "mill.sqlite")).status == 0)
        #expect(try lines("mill.sqlite", "SELECT DISTINCT era FROM app_owners") == ["unknown"])
        let app = try #require(
            try lines(
                "mill.sqlite",
                """
                SELECT bundle_id FROM app_owners WHERE environment = 'Production' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1
                """
            ).first)
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
            #expect(eras == [era])
        }
        #expect(try Mill.run(arguments([sample], "mill.sqlite") + ["--app", ":1"]).status == 64)
    }
}
