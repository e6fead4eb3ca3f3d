import StoreReports
import Testing

@Suite("A row of a report that counts")
struct CountRowTests {
    private static let subscribers =
        "Event Date\tApp Name\tApp Apple ID\tSubscription Name\tCustomer Price\tCountry\tSubscriber ID\tRefund\tUnits"

    @Test("has day, app, product, country and subscriber, and all cells with a text")
    func row() throws {
        let line = "2020-10-05\tApp \"1\"\t1234567890\tgold\t4.49\tua\t 77 \t\t1"
        let row = try #require(try ReportReading(Self.subscribers + "\r\n" + line + "\r\n").rows.first)
        #expect(row.day == "2020-10-05" && row.appAppleID == 1_234_567_890 && row.product == "gold")
        #expect(row.country == "UA" && row.subscriberID == "77")
        #expect(
            row.fields == """
                {"Event Date":"2020-10-05","App Name":"App \\"1\\"","App Apple ID":"1234567890","Subscription Name":"gold",\
                "Customer Price":"4.49","Country":"ua","Subscriber ID":"77","Units":"1"}
                """)
    }

    @Test(
        "that can't be read is rejected",
        arguments: [
            ("2020-10-05\tApp\t1\tgold\tfree\tUA\t77\t\t1", "number: Customer Price of the row is no number"),
            ("2020-10-05\tApp\t1\tgold\t1\tUA\t77\t\tone", "number: Units of the row is no number"),
            ("10-05-2020\tApp\t1\tgold\t1\tUA\t77\t\t1", "date: Event Date of the row is no date"),
            ("\tApp\t1\tgold\t1\tUA\t77\t\t1", "missing"),
            ("2020-10-05", "missing: the row names no product"),
            ("2020-10-05\tApp\t1\tgold\t1\tUA\t77\t\t1\tx", "columns: the row has 10 cells, the header 9"),
            ("2020-10-05\tApp\t1\tgold\t1\tUA\t77\t", "columns: the row ends after 8 cells, before Units"),
        ])
    func rejected(row: String, reason: String) throws {
        let reading = try ReportReading(
            [Self.subscribers, row, "2020-10-05\tApp\t1\tgold\t\t\t\t\t"].joined(separator: "\n"))
        #expect(
            reading.rejections.count == 1 && reading.rejections[0].hasPrefix("2 " + reason), "\(reading.rejections)")
        #expect(reading.rows.map(\.line) == [3])
    }

    @Test("needs its counts, but for those that were added behind the others", arguments: [("3", 2), ("3\t0", 1)])
    func cut(counts: String, rejected: Int) throws {
        let header =
            "App Name\tApp Apple ID\tSubscription Name\tActive Standard Price Subscriptions\tGrace Period\tSubscribers\t"
            + "Free Trial Win-back Offers"
        let reading = try ReportReading("\(header)\nApp\t1\tgold\nApp\t1\tgold\t\(counts)\nApp\t1\tgold\t3\t0\t \t")
        #expect(reading.rejections.count == rejected && reading.rows.count == 3 - rejected)
        #expect(reading.rejections[0] == "2 columns: the row ends after 3 cells, before Grace Period")
        // A header from before a count was added does not ask for the count.
        let older = header.split(separator: "\t").prefix(4).joined(separator: "\t")
        #expect(try ReportReading("\(older)\nApp\t1\tgold\t3").rows.count == 1)
    }
}
