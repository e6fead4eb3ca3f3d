import Foundation
import MillSystem
import StoreReports
import Testing

@Suite("A row of a sales or financial report")
struct SaleRowTests {
    private func sale(_ row: String) throws -> StoreSale {
        let reading = try ReportReading(SampleReport.sales + "\n" + row + "\n")
        return try #require(reading.sales.first, "\(reading.rejections)")
    }

    @Test("has units, gross and proceeds below zero where the store refunded")
    func refunds() throws {
        let refund = try sale(SampleReport.sale("-1", price: "-9.99"))
        #expect(refund.unitsThousandths == -1000 && refund.priceMilliunits == 9_990)
        #expect(refund.grossMilliunits == -9_990 && refund.proceedsMilliunits == -7_000)
        // Quantity says R of a row that counts upwards, and the share stays positive.
        let shares = try ReportReading(
            [
                SampleReport.financial, SampleReport.share("1", "1.42", "1.42", sign: "R"),
                SampleReport.share("-2", "1.42", "2.84", price: "-2.39", sign: "R"),
            ].joined(separator: "\n"))
        #expect(shares.sales.map(\.unitsThousandths) == [-1000, -2000])
        #expect(shares.sales.map(\.grossMilliunits) == [-2_390, -4_780])
        #expect(shares.sales.map(\.proceedsMilliunits) == [-1_420, -2_840])
    }

    @Test(
        "has exact amounts, units in fractions, and thousandths rounded half away from zero",
        arguments: [
            ("2", "600", "464", 2_000, 600_000, 1_200_000, 928_000), ("0.5", "9.99", "7", 500, 9_990, 4_995, 3_500),
            ("0.33", "0.99", ".70", 330, 990, 327, 231), ("-0.5", "-0.01", "0.01", -500, 10, -5, -5),
            ("-.5", "0.001", "0.001", -500, 1, -1, -1), ("1", "0.0005", "0.0004", 1_000, 1, 1, 0),
            ("1,234", "1", "0.7", 1_234_000, 1_000, 1_234_000, 863_800),
            ("3", "3,801.00", "1", 3_000, 3_801_000, 11_403_000, 3_000),
            ("1000", "99999999.99", "0", 1_000_000, 99_999_999_990, 99_999_999_990_000, 0),
        ] as [(String, String, String, Int64, Int64, Int64, Int64)])
    func amounts(
        units: String, price: String, proceeds: String, thousandths: Int64, milliunits: Int64, gross: Int64,
        share: Int64
    ) throws {
        let sale = try sale(SampleReport.sale(units, price: price, proceeds: proceeds))
        #expect(sale.unitsThousandths == thousandths && sale.priceMilliunits == milliunits)
        #expect(sale.grossMilliunits == gross && sale.proceedsMilliunits == share)
    }

    @Test(
        "states days in each form that files have",
        arguments: [
            // 2025-10-28 is day 20389, as `date -d 2025-10-28 +%s` says.
            "10/28/2025", "2025-10-28", "20251028", "10/28/25", "28.10.2025", "2025-10-28 00:00:00",
            "2025-10-28T07:00:00Z",
        ])
    func days(text: String) throws {
        #expect(try sale(SampleReport.sale(day: text)).beginsDay == 20_389)
    }

    @Test(
        "that can't be read is rejected with line and reason, and the next is read",
        arguments: [
            (SampleReport.sale("one"), "number: Units 'one'"), (SampleReport.sale("NaN"), "number: Units 'NaN'"),
            (SampleReport.sale("1e3"), "number: Units '1e3'"), (SampleReport.sale("0x10"), "number"),
            (SampleReport.sale("--1"), "number"), (SampleReport.sale(""), "missing: Units is empty"),
            (SampleReport.sale(price: "9,99"), "number: Customer Price '9,99'"),
            (SampleReport.sale(price: "1.2.3"), "number"), (SampleReport.sale(price: "1,2345.00"), "number"),
            (SampleReport.sale(price: "99999999999999999999"), "number"),
            (SampleReport.sale("1000000001"), "range: Units '1000000001' is too large"),
            (SampleReport.sale(price: "100000000000.01"), "range: Customer Price '100000000000.01' is too large"),
            (SampleReport.sale("11", price: "10000000000"), "range: 11 times 10000000000 is too large"),
            (SampleReport.sale(day: "28/10/2025"), "date: Begin Date '28/10/2025'"),
            (SampleReport.sale(day: "02/29/2025"), "date"), (SampleReport.sale(day: "02/30/2024"), "date"),
            (SampleReport.sale(day: "yesterday"), "date"), (SampleReport.sale(day: ""), "missing: Begin Date is empty"),
            (SampleReport.sale(day: "04/01/0209"), "date"),
            (SampleReport.sale() + "\tmore", "columns: the row has 29 cells, the header 28"),
            ("APPLE\tUS\tgold\t \tGold", "columns: the row ends after 5 cells, before Begin Date"),
            ("Total\t12", "columns: the row ends after 2 cells"),
            (SampleReport.sale().replacing("7.00", with: "7\u{0}0"), "text: the line has a zero byte"),
        ])
    func rejected(row: String, reason: String) throws {
        let reading = try ReportReading([SampleReport.sales, row, SampleReport.sale()].joined(separator: "\n"))
        #expect(
            reading.rejections.count == 1 && reading.rejections[0].hasPrefix("2 " + reason), "\(reading.rejections)")
        #expect(reading.sales.map(\.line) == [3])
    }

    @Test("may lack cells at its end, and have empty ones beyond the header")
    func ragged() throws {
        let ends = try #require(SampleReport.sale().range(of: "\t \tcom.example"))
        #expect(try sale(String(SampleReport.sale()[..<ends.lowerBound])).grossMilliunits == 9_990)
        #expect(try sale(SampleReport.sale() + "\t\t \t").grossMilliunits == 9_990)
        // A row that breaks off before its price states no price of nothing.
        let reading = try ReportReading(
            SampleReport.sales + "\n" + SampleReport.sale().split(separator: "\t").prefix(15).joined(separator: "\t"))
        #expect(reading.rejections == ["2 columns: the row ends after 15 cells, before Customer Price"])
    }

    @Test("of 2010 is read where empty cells before the Apple Identifier were lost, or tabs became spaces")
    func damaged() throws {
        let row = "APPLE\tUS\t1001\t \t \tMyCompany\tMyApp\t \t1\t2\t.97\t06/01/2010\t06/01/2010\tSEK\tSE\tEUR"
        let whole = try ReportReading(SampleReport.sales2009 + "\n" + row + "\t \t \t \t123456789\t15\t ")
        let lacking = try ReportReading(SampleReport.sales2009 + "\n" + row + "\t \t \t123456789\t15\t \t \t ")
        let header = SampleReport.sales2009.replacing("\t", with: " ")
        let spaced = try ReportReading(
            header + "\nAPPLE US 1001 MyCompany MyApp 1 2 .97 06/01/2010 06/01/2010 SEK SE EUR 123456789 15")
        #expect(whole.sales == lacking.sales && whole.sales == spaced.sales)
        let sale = try #require(whole.sales.first)
        // 2010-06-01 is day 14761.
        #expect(
            sale.beginsDay == 14_761 && sale.sku == "1001" && sale[.title] == "MyApp" && sale.appleID == 123_456_789)
        #expect(sale[.currency] == "SEK" && sale.grossMilliunits == 30_000)
        #expect(sale[.shareCurrency] == "EUR" && sale.proceedsMilliunits == 1_940)
        #expect(whole.warnings.isEmpty && lacking.warnings.count == 1)
        // Which words of a longer title belong to the developer, no line of spaces tells.
        let long = try ReportReading(
            header + "\nAPPLE US 1001 My Company MyApp 1 2 .97 06/01/2010 06/01/2010 SEK SE EUR 123456789 15\nAPPLE US")
        #expect(long.sales.map(\.[.title]) == [nil] && long.rejections.count == 1)
    }

    @Test("with proceeds and no price, or shares that contradict the quantity, is read and warned of, a few times")
    func odd() throws {
        let reading = try ReportReading(
            [SampleReport.sales, SampleReport.sale(price: " "), SampleReport.sale(price: "", proceeds: "0")].joined(
                separator: "\n"))
        #expect(reading.sales.map(\.proceedsMilliunits) == [7_000, 0])
        #expect(reading.warnings == ["2: the row has proceeds of 7 and no customer price"])
        let rows = Array(repeating: SampleReport.share("2", "1.42", "2.90"), count: 30)
        let shares = try ReportReading(([SampleReport.financial] + rows).joined(separator: "\n"))
        #expect(shares.sales.count == 30 && shares.sales.allSatisfy { $0.proceedsMilliunits == 2_900 })
        #expect(shares.warnings.count == 21 && shares.warnings[0].hasPrefix("2: quantity times share is 2.84"))
        #expect(shares.warnings.last?.contains("10 more rows") == true)
    }
}
