import StoreReports
import TestSupport
import Testing

/// What stands before decimals is told by the numbers of a file, and never by what separates its cells.
@Suite("The numbers of a report file")
struct NumberNotationTests {
    private static let header =
        "SKU|Title|Units|Developer Proceeds|Begin Date|End Date|Customer Price|Customer Currency|Currency of Proceeds"

    private func reading(_ delimiter: String, _ rows: String...) throws -> ReportReading {
        try ReportReading(([Self.header] + rows).joined(separator: "\n").replacing("|", with: delimiter))
    }

    private func row(_ proceeds: String, _ price: String, units: String = "1") -> String {
        "gold|Gold|\(units)|\(proceeds)|2026-04-01|2026-04-01|\(price)|JPY|JPY"
    }

    @Test("are read as most of them prove, with any delimiter", arguments: ["\t", ",", ";"])
    func proven(delimiter: String) throws {
        // A comma separates no cells in which a comma stands before decimals, unless cells are quoted.
        let quoted = { (text: String) in delimiter == "," ? "\"\(text)\"" : text }
        let points = try reading(delimiter, row("2.31", "2.990"), row("464", "600.000"), row("1", quoted("1,234")))
        #expect(points.sales.map(\.grossMilliunits) == [2_990, 600_000, 1_234_000], "\(points.rejections)")
        #expect(points.sales.map(\.proceedsMilliunits) == [2_310, 464_000, 1_000])
        let commas = try reading(
            delimiter, row(quoted("2,31"), quoted("2,990")), row("464", quoted("600,000")), row("1", "1.234"))
        #expect(commas.sales == points.sales, "\(commas.rejections)")
    }

    @Test(
        "of one group of thousands are rejected where no other number tells decimals from thousands",
        arguments: [("\t", "600,000"), (",", "\"600,000\""), (";", "600.000")])
    func ambiguous(delimiter: String, price: String) throws {
        let reading = try reading(delimiter, row("464", price), row("464", "600"))
        #expect(reading.sales.map(\.priceMilliunits) == [600_000])
        #expect(
            reading.rejections == [
                "2 number: Customer Price '\(price.replacing("\"", with: ""))' has three decimals or thousands, and the "
                    + "other numbers of the file don't tell which"
            ])
    }

    @Test("with a contradiction leave one group of thousands a rejection, and the others are read as most are")
    func contradiction() throws {
        let reading = try reading("\t", row("2.31", "2.99"), row("7,00", "9.99"), row("1", "1,234"), row("1", "1.234"))
        #expect(reading.sales.map(\.priceMilliunits) == [2_990, 1_234])
        #expect(reading.rejections.map { $0.prefix(8) } == ["3 number", "4 number"])
    }

    @Test("prove a point where no thousands begin with a zero")
    func zero() throws {
        let reading = try reading(";", row("0", "0.990"), row("464", "600.000"))
        #expect(reading.sales.map(\.priceMilliunits) == [990, 600_000] && reading.rejections.isEmpty)
    }

    @Test("that count may have one group of thousands, whatever other numbers are")
    func counts() throws {
        #expect(try reading("\t", row("1", "1", units: "1,234")).sales.map(\.unitsThousandths) == [1_234_000])
        #expect(try reading(";", row("1", "1", units: "1.234")).sales.map(\.unitsThousandths) == [1_234_000])
        let subscriptions = try ReportReading(
            """
            App Name;App Apple ID;Subscription Name;Customer Price;Active Standard Price Subscriptions
            App;1;gold;9.99;1,234
            App;1;gold;9.990;12
            """)
        #expect(subscriptions.rows.count == 2, "\(subscriptions.rejections)")
    }

    @Test("tell nothing of lines beyond a mebibyte")
    func bounded() throws {
        let long = String(repeating: "x", count: 1 << 20)
        let rows = [row("464", "600.000"), row("464", "600").replacing("Gold", with: long), row("2.31", "2.99")]
        let far = try reading(";", rows[0], rows[1], rows[2])
        #expect(
            far.rejections.map { $0.prefix(8) } == ["2 number", "4 number"], "\(far.rejections.map { $0.prefix(90) })")
        #expect(try reading(";", rows[0], rows[2], rows[1]).sales.count == 3)
    }

    @Test(
        "of a published detail are the same with semicolons, and with commas before decimals",
        .enabled(if: ReportCorpus.isPresent), arguments: [(";", "."), ("\t", ","), (";", ",")])
    func detail(delimiter: String, decimal: String) throws {
        let original = String(decoding: try ReportCorpus.bytes("bunnyx_finance_detail_z1_2026-02.tsv"), as: UTF8.self)
        let digit = { (character: Character?) in character?.isNumber == true }
        let characters = Array(original)
        let text = String(
            characters.indices.flatMap { place -> String in
                switch characters[place] {
                case "\t": delimiter
                case "." where digit(characters[place - 1]) && digit(characters[place + 1]): decimal
                default: String(characters[place])
                }
            })
        let reading = try ReportReading(text)
        #expect(reading.sales.count == 76 && reading.rejections.isEmpty && reading.warnings.isEmpty)
        #expect(reading.sales.reduce(0) { $0 + $1.unitsThousandths } == 99_000)
        // Of all currencies together: 65.97 + 19.90 + 9.98 + 20.00 + 3162.66, and 50.98 + 14.78 + 8.48 + 15.73 + 2664.06.
        #expect(reading.sales.reduce(0) { $0 + $1.grossMilliunits } == 3_278_510)
        #expect(reading.sales.reduce(0) { $0 + $1.proceedsMilliunits } == 2_754_030)
        #expect(reading.sales == (try ReportReading(original)).sales)
    }
}
