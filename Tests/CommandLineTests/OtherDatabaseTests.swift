internal import Foundation
internal import TestSupport
internal import Testing

/// Another database instead of the last run's.
@Suite struct OtherDatabaseTests: NightFolder {
    let workdir: Workdir

    init() throws { workdir = try Workdir() }

    @Test("Status reports the same as the run, and suggests no command that would fail")
    func exchanged() throws {
        let file = try write()
        try deliver()
        #expect(try Mill.run(["run", file]).status == 0)
        for ending in ["", "-wal", "-shm"] { unlink(workdir.path("mill.sqlite" + ending)) }
        try Samples.copyDatabase(into: workdir)
        let night = try Mill.run(["run", file])
        #expect(night.status == 73 && night.errors.contains("is another database than the last run's"), "\(night)")
        for arguments in [["--pipeline", file], ["--database", workdir.path("mill.sqlite")]] {
            let screen = try StatusScreen(arguments[0], arguments[1])
            #expect(screen.status == 73 && screen.needed.first == "database", "\(screen)")
            let line = try #require(screen.line("database"))
            #expect(line.text.contains("is another database than the last run's"), "\(line)")
            // No command is certain to be right here, so a sentence says what to do.
            #expect(line.next.isEmpty && line.advice.hasSuffix("rm \(workdir.path("mill.sqlite-identity"))"), "\(line)")
            #expect(screen.line("start").map { $0.next.isEmpty } ?? true, "\(screen)")
            #expect(screen.line("models") == nil && screen.line("last_run") == nil, "\(screen)")
        }
        unlink(workdir.path("mill.sqlite-identity"))
        #expect(try StatusScreen("--database", workdir.path("mill.sqlite")).line("last_run") != nil)
    }
}
