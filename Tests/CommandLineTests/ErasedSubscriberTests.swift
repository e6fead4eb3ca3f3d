internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill erase --subscriber`: the rows of a subscriber go from SUBSCRIBER reports, and stay away.
@Suite struct ErasedSubscriberTests: NightFolder {
    let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    init() throws { workdir = try Workdir() }

    private static let columns = [
        "Event Date", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID", "Subscription Group ID",
        "Standard Subscription Duration", "Subscription Offer Name", "Promotional Offer ID", "Subscription Offer Type",
        "Subscription Offer Duration", "Marketing Opt-In Duration", "Customer Price", "Customer Currency",
        "Developer Proceeds", "Proceeds Currency", "Preserved Pricing", "Proceeds Reason", "Client", "Country",
        "Subscriber ID", "Subscriber ID Reset", "Refund", "Purchase Date", "Units",
    ]
    private static let subscriber = "80012345001"

    /// The cells of a row, some of which differ from those of a usual one.
    private func cells(_ subscriber: String = subscriber, _ odd: [String: String] = [:]) throws -> [String] {
        let usual = [
            "2026-03-31", "Lumen", "1234567890", "Gold", "987654321", "20500000", "1 Month", "", "", "", "", "", "9.99",
            "USD", "8.49", "USD", "", "", "", "US", subscriber, "", "", "2026-03-31", "1",
        ]
        try #require(usual.count == Self.columns.count)
        return zip(Self.columns, usual).map { odd[$0] ?? $1 }
    }

    /// Writes a report of rows of cells.
    private func write(
        _ rows: [[String]], columns: [String] = Self.columns, delimiter: String = "\t", to name: String
    ) throws {
        try workdir.write(
            ([columns] + rows).map { $0.joined(separator: delimiter) + "\n" }.joined(), to: name)
    }

    private func load(_ name: String) throws -> [String: Any] {
        try object(Mill.run(["store-reports", "--database", database, name, "--json"], in: workdir.url))
    }

    private func erase(_ subscriber: String = subscriber, _ options: String...) throws -> [String: Any] {
        try object(Mill.run(["erase", "--subscriber", subscriber, "--database", database, "--json"] + options))
    }

    private func object(_ result: Mill.Result) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any], "\(result)")
    }

    /// Whether a text stands anywhere in the database or in a file beside it.
    private func isLeft(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: workdir.url.path)
            .filter { $0.hasPrefix("mill.sqlite") }
            .contains { Data(try workdir.read($0)).range(of: Data(text.utf8)) != nil }
    }

    private func check() throws { #expect(try Mill.run(["check", "--database", database]).status == 0) }

    @Test("A subscriber who was erased stays away when another file brings the rows")
    func erasedSubscriber() throws {
        let rows = [try cells(), try cells("80012345002")]
        try write(rows, to: "Subscriber_1.txt")
        #expect(try load("Subscriber_1.txt")["rows"] as? Int == 2)
        #expect(
            try lines("SELECT day, app_apple_id, subscriber_id FROM store_rows WHERE line = 2")
                == ["2026-03-31|1234567890|80012345001"])

        #expect(try erase(Self.subscriber, "--dry-run")["store_rows"] as? Int == 1)
        #expect(try lines("SELECT count(*) FROM store_rows") == ["2"])
        #expect(try erase()["store_rows"] as? Int == 1)
        #expect(try lines("SELECT subscriber_id FROM store_rows") == ["80012345002"])
        #expect(try lines("SELECT identifier, store_rows FROM erasures") == ["subscriber|1"])
        try check()
        #expect(try !isLeft(Self.subscriber))

        // The same rows in a file of another text.
        try write(rows + [cells("80012345003")], to: "Subscriber_2.txt")
        let again = try load("Subscriber_2.txt")
        #expect(again["rows"] as? Int == 2 && again["erased"] as? Int == 1, "\(again)")
        #expect(try lines("SELECT count(*) FROM store_rows WHERE subscriber_id = '80012345001'") == ["0"])
        #expect(try erase()["store_rows"] as? Int == 0)
    }

    @Test("Columns in another order, or of another name, bring nobody back")
    func otherColumns() throws {
        try write([cells()], to: "a.txt")
        #expect(try load("a.txt")["rows"] as? Int == 1)
        #expect(try erase()["store_rows"] as? Int == 1)

        try write([cells().reversed()], columns: Self.columns.reversed(), delimiter: ",", to: "b.csv")
        let renamed = Self.columns.map { $0 == "Standard Subscription Duration" ? "Duration" : $0 }
        try write([cells()], columns: renamed, to: "c.txt")
        try write([cells() + [""]], columns: Self.columns + ["Another"], to: "d.txt")
        for name in ["b.csv", "c.txt", "d.txt"] {
            let again = try load(name)
            #expect(again["rows"] as? Int == 0 && again["erased"] as? Int == 1, "\(again)")
        }
        // Another event of the same subscriber is another row, which a further erasure removes.
        try write([cells(Self.subscriber, ["Event Date": "2026-04-30"])], to: "e.txt")
        #expect(try load("e.txt")["rows"] as? Int == 1)
        #expect(try erase()["store_rows"] as? Int == 1)
    }

    @Test("A row that can't be read names nobody, and does not when the file is loaded again")
    func rejectedRows() throws {
        let id = Self.subscriber
        try write(
            [
                cells(), cells(id, ["Units": "n\(id)"]), cells(id, ["Event Date": id]), cells(id, ["Event Date": ""]),
                cells(id, ["Units": String(repeating: "x", count: 75) + id]), cells() + ["", id],
            ], to: "a.txt")
        let details = "SELECT line, reason, detail FROM rejections ORDER BY line"
        let expected = [
            "3|number|Units of the row is no number that can be read", "4|date|Event Date of the row is no date",
            "5|missing|the row has no Event Date", "6|number|Units of the row is no number that can be read",
            "7|columns|the row has 27 cells, the header 25",
        ]
        #expect(try load("a.txt")["rejected"] as? Int == 5)
        #expect(try lines(details) == expected)
        // A number that stands in every detail by chance removes none.
        #expect(try erase("2")["store_rows"] as? Int == 0)
        #expect(try erase()["store_rows"] as? Int == 1)
        #expect(try lines(details) == expected)
        #expect(try !isLeft(id) && !isLeft("xxxx"))
        try check()

        #expect(try Mill.run(["retract", "a.txt", "--database", database]).status == 0)
        let again = try load("a.txt")
        #expect(again["erased"] as? Int == 1 && again["rejected"] as? Int == 5, "\(again)")
        #expect(try lines(details) == expected)
        #expect(try !isLeft(id))
        try check()
    }

    @Test("Kept lines of a report file that was loaded as an archive go, too")
    func keptLines() throws {
        try workdir.write(
            "A report of March\nDay\tSubscriber\n2026-03-31\t80012345001\n2026-03-31\t80012345002\n", to: "export.txt")
        let loaded = try Mill.run([
            "ingest", workdir.path("export.txt"), "--trust", Samples.root, "--database", database, "--quiet",
            "--dead-letters", workdir.path("letters.gz"),
        ])
        #expect(loaded.status == 0, "\(loaded)")
        #expect(try lines("SELECT count(*) FROM dead_letter") == ["4"])
        let summary = try erase()
        #expect(summary["dead_letters"] as? Int == 1 && summary["store_rows"] as? Int == 0, "\(summary)")
        let archives = try #require(summary["archives"] as? [[String: Any]])
        #expect(archives.map { $0["archive"] as? String } == ["export.txt"])
        #expect(try lines("SELECT count(*) FROM dead_letter") == ["3"])
        #expect(try lines("SELECT line, dismissed FROM rejections ORDER BY line") == ["1|0", "2|0", "3|1", "4|0"])
        #expect(try lines("SELECT identifier, dead_letters FROM erasures") == ["subscriber|1"])
        try check()
    }
}
