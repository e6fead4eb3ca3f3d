import Foundation
import StoreReports
import TestSupport
import Testing

/// Published files. Numbers of rows are those of the list beside the files; sums were worked out with Python's csv and
/// decimal.
@Suite("Published reports", .enabled(if: ReportCorpus.isPresent))
struct PublishedReportTests {
    private func reading(_ name: String) throws -> ReportReading {
        try ReportReading(ReportCorpus.bytes(name), name: name)
    }

    private func amounts(_ sales: [StoreSale], _ value: (StoreSale) -> Int64, by: (StoreSale) -> String?) -> [String:
        Int64]
    {
        sales.reduce(into: [:]) { $0[by($1) ?? "", default: 0] += value($1) }
    }

    @Test("are read whole, each as its list says")
    func all() throws {
        let kinds: [(String, StoreReportKind)] = [
            ("FINANCE_DETAIL", .financeDetail), ("FINANCIAL", .financial), ("SALES", .sales),
            ("SUBSCRIPTION_EVENT", .subscriptionEvent), ("SUBSCRIPTION", .subscription), ("SUBSCRIBER", .subscriber),
            ("PRE_ORDER", .preOrder), ("payments", .payments),
        ]
        let files = try ReportCorpus.manifest()
        #expect(files.count > 10)
        for file in files {
            let (name, report) = try (#require(file["file"]), #require(file["report"]))
            let reading = try reading(name)
            #expect(reading.kind == kinds.first { report.hasPrefix($0.0) }?.1, "\(name)")
            #expect(reading.sales.count + reading.rows.count == file["data_rows"].flatMap(Int.init), "\(name)")
            // Totals in the files agree with the rows, so that there is nothing to warn of.
            #expect(reading.rejections.isEmpty && reading.warnings.isEmpty, "\(name) \(reading.warnings)")
        }
    }

    @Test("A detail of November 2025 has each row's two dates, refunds below zero, and Canada's provinces")
    func detail() throws {
        let sales = try reading("bunnyx_finance_detail_z1_2026-02.tsv").sales
        #expect(sales.reduce(0) { $0 + $1.unitsThousandths } == 99_000)
        #expect(
            amounts(sales, \.grossMilliunits, by: \.[.currency])
                == ["AUD": 65_970, "BRL": 19_900, "CAD": 9_980, "CHF": 20_000, "CNY": 3_162_660])
        #expect(
            amounts(sales, \.proceedsMilliunits, by: \.[.shareCurrency])
                == ["AUD": 50_980, "BRL": 14_780, "CAD": 8_480, "CHF": 15_730, "CNY": 2_664_060])
        #expect(
            sales.filter { $0.unitsThousandths < 0 }.map(\.grossMilliunits).sorted() == [
                -88_000, -22_000, -22_000, -16_870, -13_470,
            ])
        let first = try #require(sales.first)
        // 2025-10-28 and 2025-11-07 are days 20389 and 20399.
        #expect(first.line == 5 && first.beginsDay == 20_389 && first.endsDay == 20_399)
        #expect(first.sku == "300002" && first.appleID == 6_702_026_778 && first[.title] == "Pro Monthly")
        #expect(first[.productType] == "IAY" && first[.country] == "AU" && first.priceMilliunits == 2_990)
        #expect(sales.filter { $0[.region] == "AB" }.map(\.[.country]) == ["CA", "CA"])
    }

    @Test("Sales of 2020 have a row of no units, and proceeds of all units")
    func sales() throws {
        let sales = try reading("matisiekpl_sales.tsv").sales
        #expect(sales.reduce(0) { $0 + $1.unitsThousandths } == 716_000)
        #expect(
            amounts(sales, \.grossMilliunits, by: \.[.currency]).filter { $0.value != 0 }
                == ["RUB": 63_169_000, "USD": 4_490, "KZT": 8_740_000, "SAR": 22_990, "MXN": 119_000])
        #expect(
            amounts(sales, \.proceedsMilliunits, by: \.[.shareCurrency]).filter { $0.value != 0 }
                == ["RUB": 44_218_300, "USD": 3_150, "KZT": 6_118_000, "SAR": 13_990, "MXN": 71_810])
        let none = try #require(sales.first { $0.unitsThousandths == 0 })
        #expect(none.priceMilliunits == 85_430 && none.grossMilliunits == 0 && none.proceedsMilliunits == 0)
        #expect(
            none[.orderType] == "Pay As You Go Intro Offer" && none[.subscription] == "New" && none[.period] == "7 Days"
        )
        #expect(
            sales[0][.preservedPricing] == "Yes" && sales[0][.parent] == "foo.bar.baz" && sales[0][.promoCode] == nil)
    }

    @Test("Subscriptions, events, subscribers and pre-orders keep their columns")
    func counts() throws {
        let members = { (row: StoreRow) in
            try #require(try JSONSerialization.jsonObject(with: Data(row.fields.utf8)) as? [String: String])
        }
        let active = try reading("bunnyx_subscription_2026-02-18.tsv").rows.map {
            Int(try members($0)["Active Standard Price Subscriptions"] ?? "") ?? 0
        }
        #expect(active.reduce(0, +) == 409)
        let events = try reading("matisiekpl_subscriptions-events.tsv").rows
        #expect(try events.map { Int(try members($0)["Quantity"] ?? "") ?? 0 }.reduce(0, +) == 120)
        #expect(events[0].day == "2020-10-06" && events[0].country == "RU" && events[0].product == "foo.bar.baz")
        let subscribers = try reading("matisiekpl_subscribers.tsv").rows
        #expect(Set(subscribers.map(\.subscriberID)).count == 48 && subscribers[0].subscriberID == "1234567890000")
        #expect(subscribers[0].appAppleID == 1_234_567_890 && subscribers[0].day == "2020-10-05")
        let orders = try reading("matisiekpl_preorders.tsv").rows
        #expect(orders.map(\.country) == ["RU", "KE"] && orders[0].day == "2020-10-05" && orders[0].product == "Foo")
        let renamed = try reading("fivetran_sales_subscription_event_summary.csv").rows
        #expect(renamed[3].day == "2024-11-06" && renamed[3].country == "DE")
        #expect(
            try members(renamed[3])["marketing_opt_in_duration"] == "6 Months,"
                && members(renamed[3])["preserved_pricing"] == nil)
    }

    @Test("Payments of September 2014 have regions, and the currency of each")
    func payments() throws {
        let rows = try reading("fedoco_financial_report_2014-09.csv").rows
        #expect(
            rows.map(\.product) == ["Switzerland", "Euro-Zone", "Japan"]
                && rows.map(\.day) == ["2014-09", "2014-09", "2014-09"])
        #expect(
            rows[2].fields.hasSuffix(
                """
                "read":{"currency":"JPY","units":"2","earned":"179","total_owed":"142","exchange_rate":"0.00817",\
                "proceeds":"1.16","bank_currency":"EUR"}}
                """))
    }
}
