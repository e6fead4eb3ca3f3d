import Foundation
import MillSystem
import TestSupport
import Testing

@testable import MillConfiguration
@testable import MillRun
@testable import ReceiptWarehouse

@Suite("A night that is asked to stop")
struct PipelineStopTests {
    @Test("between two archives leaves the second to the next")
    func betweenArchives() throws {
        let workdir = try Workdir()
        try #require(mkdir(workdir.path("in"), 0o700) == 0)
        try workdir.write("{}\n", to: "in/a.jsonl")
        try workdir.write("{ }\n", to: "in/b.jsonl")
        let file = try workdir.write(
            "database: mill.sqlite\ncreate: true\narchives:\n  - {path: in/*.jsonl, after: move, move_to: done}\n",
            to: "night.yaml")
        let run = PipelineRun(try Pipeline(path: file, environment: [:]))
        let summary = try run.run { if case .line(let line) = $0, line.fields["to"] != nil { run.stop.cancel() } }
        #expect(summary.movedArchives == 1 && summary.outcome == .stopped)
        let next = try PipelineRun(try Pipeline(path: file, environment: [:])).run()
        #expect(next.movedArchives == 1 && next.exitStatus == nil)
    }

    @Test("between two reports says so, and leaves the second as it was")
    func betweenReports() throws {
        let workdir = try Workdir()
        let file = try workdir.write(
            """
            database: mill.sqlite
            create: true
            archives:
              - path: \(workdir.write("{}\n", to: "a.jsonl"))
            reports:
              - {name: archive-loads, output: first.csv}
              - {name: refunds, output: second.csv}
            """, to: "night.yaml")
        let run = PipelineRun(try Pipeline(path: file, environment: [:]))
        let summary = try run.run { if case .line(let line) = $0, line.fields["report"] != nil { run.stop.cancel() } }
        #expect(summary.reports == 1 && summary.outcome == .stopped && summary.exitStatus == .tryLater)
        #expect(!FileManager.default.fileExists(atPath: workdir.path("second.csv")))
        #expect(try Stored(workdir.path("mill.sqlite")).lines("SELECT outcome FROM runs") == ["stopped"])
    }
}
