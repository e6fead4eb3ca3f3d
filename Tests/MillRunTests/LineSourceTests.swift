import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

@Suite("What is known of the lines to come")
struct LineSourceTests {
    @Test("is how many bytes are left, of the archive at hand and of those after it, none at the end")
    func bytesAhead() throws {
        let workdir = try Workdir()
        // Of one length: nothing else orders archives of different names.
        let text = String(repeating: "{}\n", count: 9_999)
        let archives = try ["a", "b", "c"].map { try workdir.write("\($0)}\n" + text, to: "\($0).jsonl") }
        var configuration = LoadConfiguration(database: workdir.path("x.sqlite"))
        configuration.batchSize = 1_000
        let recognizer = ArchiveRecognizer(try RunContext(opening: configuration))
        let source = LineSource(
            ArchiveOrder.sorted(archives), ArchiveOpener(recognizer, configuration), stop: configuration.stop)
        var left: [Double] = []
        while let item = try source.next() {
            guard case .batch(_, _, let position) = item else { continue }
            left.append(position.bytesAhead)
            #expect(position.isEndKnown)
        }
        #expect(left.count >= 30)
        #expect(left == left.sorted(by: >))
        #expect(left.first.map { $0 < 90_000 && $0 >= 60_000 } == true)
        #expect(left.last == 0)
    }
}
