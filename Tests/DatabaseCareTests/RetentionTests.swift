import Foundation
import GRDB
import MillTestSupport
import ReceiptMint
import TestSupport
import Testing

@testable import DatabaseCare
@testable import MillRun
@testable import ReceiptWarehouse

/// Receipts of the mint, each presented by its device on ten days.
@Suite("Old submissions that go")
struct RetentionTests {
    private let workdir: Workdir
    private let database: String

    /// Views that list or count submissions one by one, beside those that name a line.
    private static let listing: Set<String> = [
        "fraud_cases", "judged_cases", "case_evidence", "case_signals", "case_parties", "stale_presentations",
        "internal_device_submissions", "owner_purchases", "owner_refunds", "owner_refunds_by_number",
        "source_days", "owner_sightings", "owners_by_document", "presenters_by_number", "contacts_by_number",
        "notification_events", "contacts_by_owner", "owner_sources_by_period", "refunds_by_contact",
        "refunded_contacts", "stale_by_number", "stale_contacts",
        // This view counts submissions.
        "stale_receipts",
    ]

    init() throws {
        workdir = try Workdir()
        database = workdir.path("mill.sqlite")
        let minted = try Self.shared.get()
        let text = try Gzip.recover(minted.workdir.read(minted.truth.archives[0].name), in: minted.workdir).output
        var lines: [String] = []
        for line in text.split(separator: 10) {
            guard var object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else { continue }
            for day in 1...10 {
                object["submitted_at"] = "2025-01-\(day < 10 ? "0" : "")\(day)T12:00:00Z"
                lines.append(String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self))
            }
        }
        var ingest = try minted.ingest(into: database)
        ingest.archives = [try workdir.write(lines.joined(separator: "\n"), to: "days.jsonl")]
        _ = try ingest.run()
    }

    private static let shared = Result { try MintedArchive(count: 100, archives: 1) }

    /// What does not list submissions: views as they are, and of those that name a
    /// line the rows that name none.
    private func views() throws -> [String: [String]] {
        try Stored(database).open { stored in
            let names = try stored.lines(
                """
                SELECT name, EXISTS (SELECT 1 FROM pragma_table_info(view.name) WHERE name = 'line')
                FROM sqlite_schema AS view WHERE type = 'view'
                """
            ).map { $0.split(separator: "|") }.filter { !Self.listing.contains(String($0[0])) }
            return Dictionary(
                uniqueKeysWithValues: try names.map { name in
                    let source = name[1] == "1" ? "(SELECT * FROM \(name[0]) WHERE line IS NULL)" : "\(name[0])"
                    return (String(name[0]), try stored.content(of: [source]))
                })
        }
    }

    /// Begin of a day of January 2025.
    private static func milliseconds(_ day: Int) -> Int64 { 1_735_689_600_000 + Int64(day - 1) * 86_400_000 }

    @Test("leave every view as it was but those that list submissions")
    func viewsStay() throws {
        let before = try views()
        #expect(try Retention.deleteExpired(Warehouse(path: database), before: Self.milliseconds(40)) > 0)
        let after = try views()
        #expect(before.keys.filter { before[$0] != after[$0] }.sorted() == [])
        #expect(before["purchases"]?.isEmpty == false && before["app_owners"]?.isEmpty == false)
        #expect(try DatabaseCheck(path: database).run().filter { $0.count > 0 }.map(\.name) == [])
        // Nothing more is to go.
        #expect(try Retention.deleteExpired(Warehouse(path: database), before: Self.milliseconds(40)) == 0)
    }

    @Test("are those before the day, between the first and the last of their kind")
    func oldOnesGo() throws {
        _ = try Retention.deleteExpired(Warehouse(path: database), before: Self.milliseconds(5))
        // The first, and all from the fifth on.
        let days = try Stored(database).lines(
            "SELECT DISTINCT substr(submitted_at, 9, 2) FROM submissions WHERE device_check = 'match' ORDER BY 1")
        #expect(days == ["01", "05", "06", "07", "08", "09", "10"])
    }
}
