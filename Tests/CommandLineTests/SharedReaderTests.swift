internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Who may read a database and not write beside it, where its log lies.
@Suite(.enabled(if: geteuid() == 0)) struct SharedReaderTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    @Test(
        "A user who can't write beside the database can run reports", arguments: [["overview"], ["fraud-subjects"]])
    func readOnlyUser(report: [String]) throws {
        let database = workdir.path("mill.sqlite")
        let load = ["ingest", Samples.archive, "--trust", Samples.root, "--database", database, "--quiet"]
        #expect(try Mill.run(load).status == 0)
        let expected = try Mill.run(["report"] + report + ["--database", database])
        // A killed owner leaves the log and its index as they lie while it is at work.
        let owner = try DatabaseQueue(path: database)
        try owner.write { try $0.execute(sql: "UPDATE archive SET lines = lines") }
        let left = workdir.path("left.sqlite")
        for ending in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: database + ending, toPath: left + ending)
            try #require(chmod(left + ending, 0o644) == 0)
        }
        try #require(chmod(workdir.url.path, 0o755) == 0)
        let result = try Mill.run(["report"] + report + ["--database", left], asNobody: true)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output == expected.output && !result.output.isEmpty)
        withExtendedLifetime(owner) {}
    }
}
