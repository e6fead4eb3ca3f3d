internal import Foundation
internal import TestSupport
internal import Testing

/// What a person sees at a terminal while a run is at work, and when it is stopped.
@Suite struct LiveRunTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func path(_ name: String) -> String { workdir.path(name) }

    /// An archive of lines without receipts, whose loading takes a second or more.
    private func archive(_ name: String, lines: Int) throws -> String {
        try workdir.write(
            "{\"archive\":\"\(name)\"}\n" + String(repeating: "{\"account_id\":\"nobody\"}\n", count: lines - 1),
            to: name)
    }

    private func begin(_ arguments: [String], on terminal: Pseudoterminal, term: String = "xterm") throws -> Process {
        let process = Process()
        process.executableURL = Mill.binary
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["TERM": term]) { $1 }
        process.standardError = terminal.side
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    @Test("Progress fits the terminal, and ends with the models; what is quiet shows none", arguments: [30, 100])
    func progress(columns: Int) throws {
        let terminal = try Pseudoterminal(columns: UInt16(columns))
        let archives = [try archive("first.jsonl", lines: 15_000), Samples.archive]
        let arguments =
            ["ingest"] + archives
            + ["--trust", Samples.root, "--database", path("mill.sqlite"), "--max-rejected", "1"]
        let process = try begin(arguments, on: terminal)
        terminal.wait(for: "\u{0}", of: process)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(terminal.drawn.allSatisfy { $0.count < columns }, "\(terminal.drawn)")
        #expect(terminal.drawn.contains { $0.contains("rejected") || $0.contains("left") })
        #expect(terminal.drawn.contains { $0.contains("refreshing ") })
        if columns == 100 {
            let first = try #require(terminal.drawn.first { $0.contains("lines") })
            #expect(first.hasPrefix("1/2  first.jsonl  "))
            #expect(first.contains(#/ \d+ %  [\d,]+ lines  .*0 new  0 known  [\d,]+ rejected/#), "\(first)")
        }
        // The last line is removed, so that what follows begins in the first column.
        #expect(terminal.shown.hasSuffix("\r\u{1b}[2K"))

        for (option, term) in [("--quiet", "xterm"), ("--no-refresh", "dumb")] {
            let still = try Pseudoterminal(columns: 80)
            let silent = try begin(
                ["ingest", archives[0], "--database", path("\(term).sqlite"), "--max-rejected", "1", option], on: still,
                term: term)
            still.wait(for: "\u{0}", of: silent)
            silent.waitUntilExit()
            #expect(silent.terminationStatus == 0 && still.shown.isEmpty, "\(still.shown)")
        }
    }

    @Test(
        "A text that is longer than the terminal is high goes through PAGER, and all else to the terminal",
        arguments: [("--list", "sed s/^/+/", true), ("--list", "cat", false), ("--list", "no-such-pager", false)]
            + [("coverage", "sed s/^/+/", false)])
    func pager(report: String, pager: String, isPaged: Bool) throws {
        try Samples.copyDatabase(into: workdir)
        let terminal = try Pseudoterminal(columns: 100)
        let process = Process()
        process.executableURL = Mill.binary
        process.arguments = ["report", report, "--database", path("mill.sqlite")]
        process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm", "PAGER": pager]) { $1 }
        (process.standardInput, process.standardOutput) = (terminal.side, terminal.side)
        try process.run()
        terminal.wait(for: "\u{0}", of: process)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let lines = terminal.shown.split(separator: "\r\n")
        #expect(lines.count > (report == "--list" ? 24 : 3))
        #expect(lines.allSatisfy { $0.hasPrefix("+") == isPaged }, "\(terminal.shown)")
    }

    @Test("Ctrl-C is answered at once; the end says what is kept, and with which command to go on")
    func controlC() throws {
        // The second archive takes seconds, so that the signal comes before the archive's end on a fast machine, too.
        let archives = [try archive("first 1.jsonl", lines: 20_000), try archive("second.jsonl", lines: 300_000)]
        let limit = ["--window", "5000", "--max-rejections", "1000000", "--max-rejected", "1"]
        let arguments = ["ingest"] + archives + ["--database", path("mill.sqlite")] + limit
        let terminal = try Pseudoterminal(columns: 100)
        let output = Pipe()
        let process = Process()
        process.executableURL = Mill.binary
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
        process.standardError = terminal.side
        process.standardOutput = output
        try process.run()
        try #require(terminal.wait(for: "2/2", of: process), "\(terminal.shown)")
        kill(process.processIdentifier, SIGINT)
        #expect(terminal.wait(for: "stopping: ", of: process))
        terminal.wait(for: "\u{0}", of: process)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 75)
        #expect(terminal.shown.contains("Ctrl-C again ends at once, and keeps what is committed"))
        let line = try #require(
            terminal.shown.firstMatch(of: /stopped as asked, behind line (\d+) of .*second\.jsonl; .* are kept/)?.1)
        let stored = try Stored(path("mill.sqlite"), isReadOnly: true)
            .lines("SELECT lines FROM archives WHERE name = 'second.jsonl'")
        #expect(stored == [String(line)])

        // The command can be copied: a shell reads it as it was meant, and it goes on.
        let summary = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let next = try #require(summary.firstMatch(of: /next: receiptmill (.*)\n$/)?.1, "\(summary)")
        let rest = try Command("sh", ["-c", "exec \"$0\" \(next)", Mill.binary.path]).run()
        #expect(rest.status == 0 && rest.errors.contains("second.jsonl: going on after line \(line)"), "\(rest)")
        #expect(
            try Stored(path("mill.sqlite"), isReadOnly: true).lines("SELECT lines FROM archives ORDER BY name")
                == ["20000", "300000"])
    }

    @Test("decode shows its progress only where its answers go elsewhere")
    func decode() throws {
        let arguments = ["decode", try archive("a.jsonl", lines: 15_000)]
        let terminal = try Pseudoterminal(columns: 60)
        let process = try begin(arguments, on: terminal)
        terminal.wait(for: "\u{0}", of: process)
        process.waitUntilExit()
        #expect(terminal.drawn.contains { $0.contains("a.jsonl") && $0.contains("lines") && !$0.contains("rejected") })

        let both = try Pseudoterminal(columns: 60)
        let shown = Process()
        (shown.executableURL, shown.arguments) = (Mill.binary, ["decode", Samples.archive])
        (shown.standardOutput, shown.standardError) = (both.side, both.side)
        shown.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
        try shown.run()
        both.wait(for: "\u{0}", of: shown)
        shown.waitUntilExit()
        #expect(!both.shown.contains("\u{1b}[2K"))
    }
}
