internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Nights in which another program holds a lock of the database's, or its files.
@Suite struct LockedNightTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    /// A connection that writes and does not end.
    private func lock() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: workdir.path("mill.sqlite"), configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        return queue
    }

    private func metric(_ name: String) throws -> Double {
        let text = String(decoding: try workdir.read("m.prom"), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("receiptmill_\(name) ") }, "\(text)")
        return try #require(line.split(separator: " ").last.flatMap { Double($0) })
    }

    @Test("A lock that outlasts the wait is a fault, in status and metrics, that the unit does not take for success")
    func outlasting() throws {
        let file = try write("metrics: m.prom\n", archives: "  - {path: in/*.gz, after: delete}\n")
        try deliver()
        #expect(try Mill.run(["run", try write()]).status == 0)
        try #require(exists("in/a.gz"))
        _ = try write("metrics: m.prom\n", archives: "  - {path: in/*.gz, after: delete}\n")
        let queue = try lock()
        let night = try Mill.run(["run", file, "--wait", "3s", "--log-level", "notice"])
        #expect(night.status == 74, "\(night)")
        #expect(
            night.errors.contains("database_locked") && night.errors.contains(workdir.path("mill.sqlite")), "\(night)")
        #expect(night.errors.contains("waiting: another program holds a lock"), "\(night)")
        #expect(try metric("run_exit_status") == 74)
        #expect(exists("in/a.gz"))
        let unit = try String(
            contentsOf: Repository.file("pipelines/systemd/receiptmill.service"), encoding: .utf8)
        let successes = unit.split(separator: "\n").filter { $0.hasPrefix("SuccessExitStatus=") }
        #expect(!successes.joined().contains("74"))
        try queue.close()
        // What was committed stands: it needs no check.
        #expect(!exists("mill.sqlite-fault"))
        #expect(try Mill.run(["run", file]).status == 0)
    }

    @Test("A lock is waited for as another run is, and the time counts as the run's")
    func waitedFor() throws {
        try deliver()
        let file = try write("metrics: m.prom\n")
        #expect(try Mill.run(["run", file]).status == 0)
        try Samples.copyBeginning(to: workdir.path("in/b.gz"))
        let queue = try lock()
        let process = Process()
        process.executableURL = Mill.binary
        process.arguments = ["run", file, "--wait", "5m", "--log-level", "notice"]
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        // It says so as soon as it waits.
        var text = ""
        while !text.contains("waiting: another program"), case let part = errors.fileHandleForReading.availableData,
            !part.isEmpty
        {
            text += String(decoding: part, as: UTF8.self)
        }
        #expect(text.contains("waiting: another program"), "\(text)")
        try queue.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try lines("SELECT count(*) FROM archives") == ["2"])
        // It was told behind an attempt of a second, which is no part of the load.
        let (whole, load) = (try metric("run_duration_seconds"), try metric("run_load_seconds"))
        #expect(whole - load > 0.9, "\(whole) \(load)")
    }

    @Test(
        "A database that can't be opened is named, with its owner and the user that is expected",
        .enabled(if: geteuid() == 0))
    func owners() throws {
        try deliver()
        let file = try write()
        #expect(try Mill.run(["run", file]).status == 0)
        let database = workdir.path("mill.sqlite")
        for name in ["", "in", "mill.sqlite-identity"] { try #require(chown(workdir.path(name), 65_534, 65_534) == 0) }
        let read = try Mill.run(["report", "refunds", "--database", database], asNobody: true)
        #expect(read.status == 66 && read.errors.contains(database), "\(read)")
        #expect(read.errors.contains("this is run as nobody, and mill.sqlite belongs to root: run as root"), "\(read)")

        // What root has left beside the service's database.
        try #require(chown(database, 65_534, 65_534) == 0)
        try workdir.write("x", to: "mill.sqlite-wal")
        try #require(chmod(workdir.path("mill.sqlite-wal"), 0o600) == 0)
        let night = try Mill.run(["run", file], asNobody: true)
        #expect(night.status == 73, "\(night)")
        let record = try #require(try records(night.errors).last)
        #expect(record["path"] == database, "\(record)")
        #expect(
            record["hint"]?.contains("mill.sqlite-wal belongs to root: chown nobody \(database)-wal") == true,
            "\(record)")
    }

    @Test("Fields of log records that are numbers are numbers, and no others")
    func numbers() throws {
        try deliver()
        let more = "reports: [{name: refunds, output: r.csv}, {name: refunds, output: no/such.csv}]\n"
        let result = try Mill.run(["run", try write(more), "--log-level", "debug"])
        #expect(result.status == 73, "\(result)")
        let expected: Set = ["run", "bytes", "lines", "rejected", "rows", "exit_status"]
        var met: Set<String> = []
        for line in result.errors.split(separator: "\n") {
            let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            for (key, value) in record {
                #expect((value is NSNumber) == expected.contains(key), "\(key): \(line)")
                met.insert(key)
            }
        }
        #expect(met.isSuperset(of: expected.union(["archive", "time", "level", "message"])))
    }
}
