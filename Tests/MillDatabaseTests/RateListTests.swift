import GRDB
import MillSystem
import TestSupport
import Testing

@testable import MillDatabase

// 2024-01-01 is day 19,723 since 1970: date --date 2024-01-01 +%s, divided by 86,400.
@Suite struct RateListTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func list(_ text: String) throws -> RateList {
        try RateList(path: workdir.write(text, to: "rates.csv"))
    }

    @Test("A list has a rate for each day from which another holds")
    func rates() throws {
        let text = "rate,currency,into_currency,valid_from\n0.9,usd,EUR,2024-01-01\n0.95,USD,EUR,2024-02-01\n"
        #expect(
            try list(text).rates == [
                .init(firstDay: 19_723, currency: "USD", intoCurrency: "EUR", rate: 0.9),
                .init(firstDay: 19_754, currency: "USD", intoCurrency: "EUR", rate: 0.95),
            ])
    }

    private static let heading = "valid_from,currency,into_currency,rate\n"

    @Test(
        "A list that can't be right is refused with its line",
        arguments: [
            ("", 1, "the first line does not name valid_from, currency, into_currency and rate"),
            (heading + "2024-01-01,USD,EUR,0\n", 2, "the rate is not above 0"),
            (heading + "2024-01-01,USD,usd,1\n", 2, "the rate is of USD into itself"),
            (heading + "2024-01-01,USD,EUR,-1\n", 2, "the rate -1 is negative"),
            (heading + "2024-01-01,USD,EUR,1e3\n", 2, "the rate '1e3' is no number such as 4.99"),
            (heading + ",USD,EUR,1\n", 2, "valid_from is empty"),
            (heading + "2024-02-30,USD,EUR,1\n", 2, "valid_from '2024-02-30' is no day such as 2024-02-29"),
            (
                heading + "2024-01-01,USD,Euro,1\n", 2,
                "the currency 'Euro' is not three letters of ISO 4217 such as EUR"
            ),
            (
                heading + "2024-01-01,USD,EUR,1\n2024-01-01,usd,EUR,2\n", 3,
                "USD has a rate into EUR from 2024-01-01 already, on line 2"
            ),
        ])
    func malformed(text: String, line: Int, what: String) {
        let error = #expect(throws: MillError.self) { _ = try list(text) }
        #expect(error?.what == what)
        #expect(error?.line == line)
        #expect(error?.exitStatus == .badData)
        #expect(error?.hint?.hasSuffix("such as: 2025-01-01,USD,EUR,0.96") == true)
    }

    private static let reference = "Date,USD,JPY,CYP,\r\n2024-01-03,1.25,160,N/A,\r\n2024-01-01,1.00,150,0.58,\r\n"

    @Test("The European Central Bank's file is read as it is")
    func referenceRates() throws {
        #expect(
            try list(Self.reference).rates == [
                .init(firstDay: 19_725, currency: "EUR", intoCurrency: "USD", rate: 1.25),
                .init(firstDay: 19_725, currency: "EUR", intoCurrency: "JPY", rate: 160),
                .init(firstDay: 19_723, currency: "EUR", intoCurrency: "USD", rate: 1),
                .init(firstDay: 19_723, currency: "EUR", intoCurrency: "JPY", rate: 150),
                .init(firstDay: 19_723, currency: "EUR", intoCurrency: "CYP", rate: 0.58),
            ])
    }

    @Test(
        "A file of the European Central Bank that can't be read is refused with its line",
        arguments: [
            ("Date,USD,\n2024-02-30,1.25,\n", 2, "'2024-02-30' is no day such as 2024-02-29"),
            ("Date,USD,\n2024-01-03,1.25,\n2024-01-02,0,\n", 3, "'0' is no rate of a currency above 0"),
            ("Date,USD,\n2024-01-03,nan,\n", 2, "'nan' is no rate of a currency above 0"),
            ("Date,USD,\n2024-01-03,0x1p3,\n", 2, "'0x1p3' is no rate of a currency above 0"),
            ("Date,USD,\n2024-01-03,160 999,\n", 2, "'160 999' is no rate of a currency above 0"),
            ("Date,USD,USD,\n2024-01-03,1,2,\n", 1, "a currency has two columns"),
            ("Date,USD,\n2024-01-03,1,\n2024-01-03,2,\n", 3, "2024-01-03 has a line already"),
            ("Date,dollars,\n2024-01-03,1.25,\n", 2, "'1.25' is no rate of a currency above 0"),
        ])
    func malformedReference(text: String, line: Int, what: String) {
        let error = #expect(throws: MillError.self) { _ = try list(text) }
        #expect(error?.what == what && error?.line == line && error?.exitStatus == .badData)
    }

    @Test("A rate that is stated goes before its inverse, and the inverse before a third currency's")
    func directions() throws {
        let rates = try list(
            Self.heading + "2024-01-01,EUR,USD,1.25\n2024-01-01,USD,EUR,0.75\n2024-01-02,EUR,JPY,160\n"
                + "2024-01-01,GBP,USD,1.5\n2024-01-04,GBP,USD,2\n2024-01-01,CHF,SEK,11\n")
        let into = { rates.daily(into: $0).series }
        #expect(into("EUR")["USD"] == RateSeries([(19_723, 0.75)]))
        #expect(into("USD")["EUR"] == RateSeries([(19_723, 1.25)]))
        #expect(into("EUR")["JPY"] == RateSeries([(19_724, 1.0 / 160)]))
        // 1.5 × 0.75 and 2 × 0.75, and from USD on to JPY 0.75 × 160, from the day of the later one on.
        #expect(into("EUR")["GBP"] == RateSeries([(19_723, 1.125), (19_726, 1.5)]))
        #expect(into("JPY")["USD"] == RateSeries([(19_724, 120)]))
        #expect(into("EUR")["CHF"] == nil && into("EUR")["EUR"] == nil)
        #expect(into("EUR").keys.sorted() == ["GBP", "JPY", "USD"])
    }

    @Test("Without a word, a list converts into the currency that all its rates lead to, or all start from")
    func usualCurrency() throws {
        #expect(try list(Self.heading + "2024-01-01,USD,EUR,0.9\n2024-01-01,GBP,EUR,1.2\n").usualCurrency == "EUR")
        #expect(try list(Self.reference).usualCurrency == "EUR")
        let open = try list(Self.heading + "2024-01-01,USD,EUR,0.9\n2024-01-01,GBP,CHF,1.1\n")
        #expect(open.usualCurrency == nil)
        let unnamed = #expect(throws: MillError.self) { try open.kept(into: nil, named: "--currency") }
        #expect(unnamed?.exitStatus == .usage && unnamed?.hint?.contains("--currency EUR") == true)
        let unknown = #expect(throws: MillError.self) { try open.kept(into: "JPY", named: "--currency") }
        #expect(
            unknown?.exitStatus == .badData
                && unknown?.what == "the list has no rate of 2008 to 2040 into JPY, or from it")
    }

    @Test("The database keeps a rate for each day, and a list that is kept already is not written again")
    func kept() throws {
        let queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { try Schema.prepare($0) }
        func store(_ text: String, _ currency: String? = nil) throws -> Int {
            let rates = try list(text).kept(into: currency, named: "--currency")
            return try queue.write { db in
                let before = db.totalChangesCount
                try rates.replace(db)
                return db.totalChangesCount - before
            }
        }
        func stored() throws -> [String] {
            try queue.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT currency || ' ' || into_currency || ' ' || rate || ' ' || min(day_number) || ' '
                            || max(day_number) || ' ' || count(*)
                        FROM exchange_rate GROUP BY currency, into_currency, rate ORDER BY min(day_number)
                        """)
            }
        }
        // 2040-12-31 is day 25,932.
        let text = Self.heading + "2024-01-01,USD,EUR,0.5\n2024-02-01,USD,EUR,0.75\n"
        #expect(try store(text) == 6210)
        #expect(try stored() == ["USD EUR 0.5 19723 19753 31", "USD EUR 0.75 19754 25932 6179"])
        #expect(try store(text) == 0)
        #expect(try store(text, "USD") > 6210)
        #expect(try stored() == ["EUR USD 2.0 19723 19753 31", "EUR USD 1.33333333333333 19754 25932 6179"])
        let late = Self.heading + "2041-01-01,USD,EUR,0.9\n"
        for (text, what) in [(Self.heading, ""), ("Date,USD,\n", ""), (late, " of 2008 to 2040 into EUR, or from it")] {
            let error = #expect(throws: MillError.self) { try store(text) }
            #expect(error?.what == "the list has no rate" + what && error?.exitStatus == .badData)
        }
        try queue.write { try DailyRates.none.replace($0) }
        #expect(try stored() == [])
    }

    @Test("A rate holds until the day before the next one, the last one to the end")
    func days() {
        var days: [String] = []
        RateSeries([(12, 3), (5, 2), (9, 4)]).forEachDay(in: 7...14) { days.append("\($0):\($1)") }
        #expect(days == ["7:2.0", "8:2.0", "9:4.0", "10:4.0", "11:4.0", "12:3.0", "13:3.0", "14:3.0"])
    }
}
