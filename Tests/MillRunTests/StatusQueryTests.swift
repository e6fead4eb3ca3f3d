internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

@testable internal import MillStatus

@Suite struct StatusQueryTests {
    /// Tables that grow with the archives.
    private static let large = [
        "receipt", "submission", "purchase", "rejection", "dead_letter", "receipt_purchase", "claimed_purchase",
        "archive",
        "archive_prefix", "archive_place", "receipt_digest", "purchase_terms", "store_sale", "store_row",
    ]

    @Test("No query of the screen reads a whole table that grows with the archives")
    func plans() throws {
        let workdir = try Workdir()
        let packed = Repository.file("Tests/Migrations/v8/mill.sqlite.gz").path
        let script = #"gzip -dc "$0" > mill.sqlite"#
        try #require(try Command("sh", ["-c", script, packed], in: workdir.url).run().status == 0)
        let queue = try DatabaseQueue(path: workdir.path("mill.sqlite"))
        try queue.inDatabase { db in
            nonisolated(unsafe) var statements: [String] = []
            db.trace { statements.append($0.expandedDescription) }
            let standing = try DatabaseStatus(db, isHeld: false)
            db.trace()
            #expect(standing.lastRun != nil && !standing.archives.isEmpty)
            #expect(statements.count > 10)
            for statement in statements where statement.hasPrefix("SELECT") || statement.hasPrefix("--") {
                // A text that begins with a comment is traced without its arguments, which change no plan.
                let explanation = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(statement)")
                explanation.setUncheckedArguments([])
                let plan = try Row.fetchAll(explanation).map { $0["detail"] as String }
                for step in plan {
                    // A query may scan an index of few rows, an index of open rejections or kept lines up to a limit,
                    // or the newest archives.
                    let words = step.split(separator: " ").map(String.init)
                    guard words.first == "SCAN", words.count > 1, Self.large.contains(words[1]) else { continue }
                    if words[1] == "archive", statement.contains("FROM archive ORDER BY archive_id DESC LIMIT") {
                        continue
                    }
                    let bounded = ["rejection_open", "dead_letter_by_time", "archive_repeated"]
                    #expect(
                        bounded.contains { step.contains($0) },
                        "\(step) of \(statement)")
                }
            }
        }
    }

    @Test("A disk is short where it has less than the next run needs")
    func disk() throws {
        let workdir = try Workdir()
        let disks = DiskStatus.all([(workdir.url.path, 0), (workdir.path("absent"), 1), (workdir.url.path, 0)])
        #expect(disks.count == 1 && disks[0].folders == [workdir.url.path])
        #expect(disks[0].neededBytes == 256 << 20)
        #expect(DiskStatus.all([(workdir.url.path, 1 << 60)])[0].isShort)
    }
}
