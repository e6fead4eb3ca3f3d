import DatabaseCare
import Foundation
import GRDB
import MillTestSupport
import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

/// Archives whose lines are of the same devices and subscriptions, and some of which are the same.
@Suite("A retracted archive")
struct RetractionTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    /// What minted the lines, and three archives into which they are dealt.
    private struct Dealt {
        let minted: MintedArchive
        let archives: [String]

        init(_ minted: MintedArchive) throws {
            self.minted = minted
            let lines = try minted.plainLines()
            archives = try (0..<3).map { part in
                let own = lines.enumerated().filter { $0.offset % 3 == part || $0.offset % 11 == 0 }.map(\.element)
                return try minted.workdir.write((own + ["no line"]).joined(separator: "\n") + "\n", to: "part-\(part)")
            }
        }

        func load(_ archives: [Int], into database: String, keeping: Bool = true) throws {
            for archive in archives {
                var ingest = try minted.ingest(into: database)
                ingest.archives = [self.archives[archive]]
                ingest.configuration.keepsReceipts = keeping
                _ = try ingest.run()
            }
        }
    }

    private static let dealt = Result {
        try [Dealt(MintedArchive(count: 400, archives: 1)), Dealt(MintedArchive(signedLines: 500))]
    }

    /// All that views show, and all that tables hold but what tells of loads, and names that nothing has any more.
    private func content(_ name: String) throws -> [String] {
        try Stored(workdir.path(name)).open { stored in
            let views = try stored.lines(
                """
                SELECT name FROM sqlite_schema
                WHERE type = 'view'
                    AND name NOT IN ('runs', 'retractions', 'app_names', 'product_names', 'version_places')
                ORDER BY name
                """)
            #expect(views.count > 40)
            // Numbers are given out in the order of loading.
            let numbers = try stored.lines(
                """
                SELECT DISTINCT info.name FROM sqlite_schema AS view, pragma_table_info(view.name) AS info
                WHERE view.type = 'view' AND (
                    info.name GLOB '*_number'
                    OR info.name IN ('receipt_id', 'submission_id', 'purchase_id', 'version_id', 'app_id', 'terms_id'))
                """)
            return try stored.content(of: views, without: Stored.ownColumns.union(numbers)) + stored.tables()
        }
    }

    private func expect(_ name: String, holds wanted: [String]) throws {
        let found = try content(name)
        #expect(found.count == wanted.count)
        let difference = found.difference(from: wanted)
        #expect(difference.isEmpty, "\(difference.prefix(6))")
        #expect(try DatabaseCheck(path: workdir.path(name)).run().allSatisfy { $0.count == 0 })
    }

    private func retract(_ archives: [String], from name: String) throws -> RetractionSummary {
        try Retraction(of: archives, from: workdir.path(name)).run()
    }

    @Test("leaves what a load of the others makes, whichever came first", arguments: [0, 1], [[0, 1, 2], [1, 2, 0]])
    func equalsOthers(kind: Int, order: [Int]) throws {
        let dealt = try Self.dealt.get()[kind]
        try dealt.load([0, 2], into: workdir.path("others.sqlite"))
        try dealt.load(order, into: workdir.path("mill.sqlite"))
        let before = try Stored(workdir.path("mill.sqlite")).tables()
        let others = try content("others.sqlite")
        // Purchases whose state was the retracted archive's are among them.
        #expect(Set(others).subtracting(before).contains { $0.hasPrefix("purchase: ") })
        let summary = try retract(["part-1"], from: "mill.sqlite")
        #expect(summary.submissions > 100 && summary.receipts > 50 && summary.purchases > 10)
        try expect("mill.sqlite", holds: others)
        try dealt.load([1], into: workdir.path("mill.sqlite"))
        try dealt.load([1], into: workdir.path("others.sqlite"))
        try expect("mill.sqlite", holds: content("others.sqlite"))
    }

    @Test("is refused where a purchase can't be merged again, and all that state it can go together")
    func notKept() throws {
        let dealt = try Self.dealt.get()[1]
        let name = "mill.sqlite"
        try dealt.load([0, 1, 2], into: workdir.path(name), keeping: false)
        let before = try content(name)
        let error = #expect(throws: MillError.self) { try retract(["part-1"], from: name) }
        #expect(
            error?.exitStatus == .badData && error?.what.contains("part-0 (") == true, "\(String(describing: error))")
        #expect(try content(name) == before)
        _ = try retract(["part-0", "part-1", "part-2"], from: name)
        let left = try Stored(workdir.path(name)).lines(
            """
            SELECT (SELECT count(*) FROM archive), (SELECT count(*) FROM submission), (SELECT count(*) FROM receipt),
                (SELECT count(*) FROM purchase), (SELECT count(*) FROM claimed_purchase), (SELECT count(*) FROM rejection)
            """)
        #expect(left == ["0|0|0|0|0|0"])
        try dealt.load([0, 1, 2], into: workdir.path(name), keeping: false)
        #expect(try content(name) == before)
    }

    /// A run that was killed before its alarms were reviewed names the last receipt before it.
    @Test("hides no receipt that is loaded later from the review of an earlier run")
    func laterReceipts() throws {
        let dealt = try Self.dealt.get()[0]
        let path = workdir.path("mill.sqlite")
        try dealt.load([0, 1], into: path)
        let database = try DatabaseQueue(path: path)
        try database.write {
            try $0.execute(
                sql: """
                    INSERT INTO run (started_at, outcome, version, reviews_alarms, last_receipt)
                    VALUES (1, 'failed', '1', 1, (SELECT max(receipt_id) FROM receipt))
                    """)
        }
        try database.close()
        _ = try retract(["part-1"], from: "mill.sqlite")
        try dealt.load([2], into: path)
        #expect(
            try Stored(path).lines(
                """
                SELECT count(*) FROM receipt JOIN submission USING (receipt_id) JOIN archive USING (archive_id)
                WHERE name = 'part-2' AND receipt_id <= (SELECT last_receipt FROM run WHERE outcome = 'failed')
                    AND receipt_id NOT IN (
                        SELECT receipt_id FROM submission JOIN archive USING (archive_id) WHERE name = 'part-0')
                """) == ["0"])
    }
}
