import MillTestSupport
internal import Testing

@testable import MillSystem
@testable import ReceiptReports

@Suite struct RateListTests {
    private let database: SampleDatabase

    init() throws { database = try SampleDatabase(rows: sampleRows) }

    private func list(_ text: String) throws -> RateList {
        try RateList(path: database.write(text, to: "rates.csv"))
    }

    @Test("A list has a rate for each day from which another holds")
    func rates() throws {
        let text = "rate,currency,into_currency,valid_from\n0.9,usd,EUR,2024-01-01\n0.95,USD,EUR,2024-02-01\n"
        #expect(
            try list(text).rates == [
                .init(validFrom: "2024-01-01", currency: "USD", intoCurrency: "EUR", rate: 0.9),
                .init(validFrom: "2024-02-01", currency: "USD", intoCurrency: "EUR", rate: 0.95),
            ])
    }

    private static let heading = "valid_from,currency,into_currency,rate\n"

    @Test(
        "A list that can't be right is refused with its line",
        arguments: [
            ("", 1, "the first line does not name valid_from, currency, into_currency and rate"),
            (heading + "2024-01-01,USD,EUR,0\n", 2, "the rate is not above 0"),
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
}
