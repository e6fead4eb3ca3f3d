import Foundation
import MillSystem
import StoreReports
import Testing

@Suite("The form of a report file")
struct ReportFormTests {
    @Test(
        "is told by the header, whatever the names' case and order",
        arguments: [
            (SampleReport.sales, StoreReportKind.sales), (SampleReport.sales2009, .sales),
            (SampleReport.financial, .financial),
            (SampleReport.detail, .financeDetail),
            ("developer_proceeds,units,end_date,BEGIN_DATE,vendor_number,sku", .sales),
            (
                "App Name\tApp Apple ID\tSubscription Name\tSubscription Duration\tActive Free Trials\tCountry",
                .subscription
            ),
            ("Quantity\tCountry\tEvent\tApp Name\tEvent Date", .subscriptionEvent),
            ("Event Date\tApp Name\tIntroductory Price Type\tSubscriber ID\tRefund\tPurchase Date\tUnits", .subscriber),
            (
                "Provider\tProvider Country\tSKU\tDeveloper\tTitle\tPre-Order Start Date\tPre-Order End Date\tOrdered\t"
                    + "Canceled\tCumulative Ordered\tCumulative Canceled\tStart Date\tEnd Date\tCountry Code",
                .preOrder
            ),
            (
                "Date\tApp Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\tOffer Reference Name\tOffer Code\t"
                    + "Territory\tRedemptions", .offerCode
            ),
            ("Vendor Name\tTest\nStart Date\t08/30/2026\nEnd Date\t09/26/2026\n" + SampleReport.detail, .financeDetail),
        ])
    func kinds(text: String, kind: StoreReportKind) throws {
        let reading = try ReportReading(text)
        #expect(reading.kind == kind && reading.lines.isEmpty)
    }

    @Test(
        "that is no report's is refused with file, line and advice",
        arguments: [
            "", "\n\n", "hello", "a\tb\tc\td\te", "{\"errors\":[]}", "SKU\tUnits\nx\t1\n",
            "Date\tDownload Type\tSource Type\tCounts",
            String(repeating: "\n", count: 100) + SampleReport.sales,
            // Of the analytics reports, which count anonymous events.
            "Event Date\tApp Name\tApp Apple Identifier\tEvent Group\tEvent Name\tSubscription Name\tCounts",
        ])
    func refused(text: String) throws {
        let error = #expect(throws: MillError.self) { _ = try ReportReading(text, name: "x.txt") }
        #expect(error?.path == "x.txt" && error?.line == 1 && error?.exitStatus == .badData && error?.hint != nil)
    }

    @Test("may be UTF-8 with a mark, UTF-16 of either order, and end lines in any way, in chunks of any size")
    func encodings() throws {
        let lines = [SampleReport.sales, SampleReport.sale("2", sku: "gøld 金\u{1f600}"), "", SampleReport.sale("-1")]
        let expected = try ReportReading(lines.joined(separator: "\n"))
        #expect(expected.sales.map(\.sku) == ["gøld 金\u{1f600}", "gold"] && expected.lines == [2, 4])
        for end in ["\n", "\r\n", "\r"] {
            let text = lines.joined(separator: end) + end
            let little = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
            let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
            let utf8 = Array(text.utf8)
            let forms = [utf8, [0xef, 0xbb, 0xbf] + utf8, [0xff, 0xfe] + little, [0xfe, 0xff] + big, little, big]
            for (place, form) in forms.enumerated() {
                for size in [1, 2, 3, 7, 1000, form.count] {
                    #expect(
                        try ReportReading(form, chunkSize: size) == expected, "\(end.debugDescription) \(place) \(size)"
                    )
                }
            }
        }
    }

    @Test("in Latin-1 loses no character")
    func latin1() throws {
        var bytes = Array((SampleReport.sales + "\n" + SampleReport.sale(sku: "g?ld")).utf8)
        let place = try #require(bytes.lastIndex(of: UInt8(ascii: "?")))
        bytes[place] = 0xf8
        #expect(try ReportReading(bytes).sales.map(\.sku) == ["gøld"])
    }

    @Test("may be separated by commas or semicolons, with quotes")
    func delimiters() throws {
        let comma = try ReportReading(
            """
            SKU,Title,Units,Developer Proceeds,Begin Date,End Date,Customer Price,Customer Currency
            gold,"Gold, ""the best"" one",2,"7.00",2026-04-01,2026-04-01,"1,009.99",USD
            gold,"Gold,2,7.00
            """)
        let sale = try #require(comma.sales.first)
        #expect(
            sale[.title] == "Gold, \"the best\" one" && sale.grossMilliunits == 2_019_980 && comma.rejections.count == 1
        )
        let semicolon = try ReportReading(
            """
            SKU;Title;Units;Developer Proceeds;Begin Date;End Date;Customer Price;Customer Currency
            gold;Gold;2;7,00;2026-04-01;2026-04-01;1.009,99;USD
            """)
        #expect(semicolon.sales.map(\.grossMilliunits) == [2_019_980])
        // A title of the store's tabulated files may begin with a quote; spreadsheets put cells into quotes.
        let tabs = try ReportReading(
            "SKU\tTitle\tUnits\tDeveloper Proceeds\tBegin Date\tEnd Date\tCustomer Price\n"
                + "gold\t\"Best\" Gold\t1\t7\t04/01/2026\t04/01/2026\t9.99\n"
                + "gold\t\"Gold \"\"2\"\"\"\t\"1\"\t\"7\"\t04/01/2026\t04/01/2026\t\"1,009.99\"\n")
        #expect(
            tabs.sales.map(\.[.title]) == ["\"Best\" Gold", "Gold \"2\""] && tabs.sales[1].priceMilliunits == 1_009_990)
    }

    @Test("may have headers again, in another order, and the rows of another report are rejected, not misread")
    func repeatedHeaders() throws {
        let other = "Begin Date\tSKU\tCustomer Price\tUnits\tDeveloper Proceeds\n04/02/2026\tsilver\t1.99\t3\t1"
        let reading = try ReportReading(
            [
                SampleReport.sales, SampleReport.sale(), SampleReport.sales, SampleReport.sale("2"), other,
                SampleReport.financial,
                SampleReport.share("1", "1", "1"), SampleReport.sales, SampleReport.sale("5"),
            ].joined(separator: "\n"))
        #expect(reading.sales.map(\.unitsThousandths) == [1000, 2000, 3000, 5000] && reading.sales[2].sku == "silver")
        #expect(
            reading.rejections.count == 1 && reading.rejections[0].hasPrefix("8 other_report"), "\(reading.rejections)")
    }

    @Test("A line of more than 16 MiB is a rejection, and the next line is read")
    func longLine() throws {
        let long = String(repeating: "x", count: (16 << 20) + 1)
        let text = Array([SampleReport.sales, long, SampleReport.sale()].joined(separator: "\n").utf8)
        for size in [1 << 20, text.count] {
            let reading = try ReportReading(text, chunkSize: size)
            #expect(
                reading.sales.map(\.line) == [3] && reading.rejections == ["2 columns: the line has more than 16 MiB"])
        }
    }

    @Test("Totals of a financial report agree with its rows, or are warned of")
    func totals() throws {
        let (one, two) = (SampleReport.share("3", "1.42", "4.26"), SampleReport.share("-1", "1.42", "-1.42", sign: "R"))
        let warnings = { (lines: [String]) in
            let reading = try ReportReading(([SampleReport.financial, one, two] + lines).joined(separator: "\n"))
            #expect(reading.sales.count >= 2 && reading.rejections.isEmpty, "\(reading.rejections)")
            return reading.warnings
        }
        #expect(try warnings(["Total_Rows\t2", "Total_Amount\t2.84", "Total_Units\t2"]).isEmpty)
        #expect(try warnings(["Total_Units\t3"]) == ["4: Total_Units is 3, and that of the rows 2"])
        // Forms from before June 2010, and from before February 2009.
        #expect(try warnings(["Total_Amount:2.84"]).isEmpty)
        #expect(try warnings(["\t\t\t\t\t\tTotal\t2.85 EUR\t\t"]) == ["4: Total is 2.85, and that of the rows 2.84"])
        // A file of all territories: totals of each, or of all, and a summary at the end.
        let yen = SampleReport.share("2", "119", "238", currency: "JPY", country: "JP")
        let second = ["", SampleReport.financial, yen]
        let sums = ["Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share", "DE\tEUR\t2\t2.84"]
        let each = ["Total_Rows\t2", "Total_Amount\t2.84"] + second + ["Total_Rows\t1", "Total_Amount\t238"] + sums
        #expect(try warnings(each + ["JP\tJPY\t2\t238.00"]).isEmpty)
        #expect(try warnings(second + ["Total_Rows\t3", "Total_Amount\t240.84"] + sums).isEmpty)
        #expect(
            try warnings(second + sums + ["JP\tJPY\t3\t238"])
                == ["9: the sum of JP is 3 units and 238 JPY, and that of the rows 2 units and 238"])
    }

    @Test("A summary below a detail is no row, and a second file may follow")
    func detailSummary() throws {
        let row = "07/01/2026\t07/02/2026\t1\tmonthly\tMonth\t\tIAY\tMX\t2\t72.54\t145.08\tMXN\t99.000\tMXN\tS\t\t\t\t"
        let part = [
            "Vendor Name\tTest", "Start Date\t06/28/2026", "End Date\t08/01/2026", SampleReport.detail, row,
            "Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share", "MX\tMXN\t2\t145.08",
        ]
        let reading = try ReportReading((part + part).joined(separator: "\n"))
        #expect(reading.sales.map(\.line) == [5, 12] && reading.rejections.isEmpty && reading.warnings.isEmpty)
        #expect(
            reading.sales[0].grossMilliunits == 198_000 && reading.sales[0].endsDay == reading.sales[0].beginsDay + 1)
    }

    @Test("may be separated by semicolons with all of the store's columns, and never by bars")
    func wholeHeader() throws {
        let lines = [
            SampleReport.sales, SampleReport.sale().replacing("9.99", with: "9,99").replacing("7.00", with: "7,00"),
        ]
        let semicolons = try ReportReading(lines.joined(separator: "\n").replacing("\t", with: ";"))
        #expect(
            semicolons.sales
                == (try ReportReading([SampleReport.sales, SampleReport.sale()].joined(separator: "\n"))).sales)
        #expect(semicolons.sales.map(\.grossMilliunits) == [9_990])
        let error = #expect(throws: MillError.self) {
            _ = try ReportReading(lines.joined(separator: "\n").replacing("\t", with: "|"))
        }
        #expect(error?.what.contains("header of a report that is known") == true)
    }

    @Test("A line break in a quoted cell makes a rejection that says so", arguments: ["\t", ","])
    func lineBreak(delimiter: String) throws {
        let row = SampleReport.sale().replacing("Gold", with: "\"Gold\nand more\"")
        let text = [SampleReport.sales, row, SampleReport.sale("2")].joined(separator: "\n")
        let reading = try ReportReading(text.replacing("\t", with: delimiter))
        #expect(reading.sales.map(\.line) == [4] && reading.rejections.count == 2)
        #expect(reading.rejections[0].hasPrefix("2 columns: the "), "\(reading.rejections)")
        #expect(reading.rejections[0].hasSuffix("a quote that does not end; cells can't have line breaks"))
    }

    @Test("may have no-break spaces around cells, in UTF-8 and Latin-1, and keeps letters with a byte of theirs")
    func noBreakSpaces() throws {
        let row = SampleReport.sale(price: "\u{a0}9.99\u{a0} ", sku: "\u{a0}voilà\u{a0}")
        let text = SampleReport.sales + "\n" + row
        let latin = text.unicodeScalars.map { UInt8($0.value) }
        for bytes in [Array(text.utf8), latin] {
            let sale = try #require(try ReportReading(bytes).sales.first)
            #expect(sale.sku == "voilà" && sale.priceMilliunits == 9_990)
        }
    }

    @Test("Totals that end the sums by country and currency are no sum of a country")
    func totalOfSums() throws {
        let sums = "Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share"
        let lines = [
            SampleReport.financial, SampleReport.share("3", "1.42", "4.26"),
            SampleReport.share("2", "119", "238", currency: "JPY", country: "JP"), sums, "DE\tEUR\t3\t4.26",
            "JP\tJPY\t2\t238", "Total\t\t5\t242.26", "Total_Units\t6",
        ]
        let reading = try ReportReading(lines.joined(separator: "\n"))
        #expect(reading.rejections.isEmpty && reading.warnings == ["8: Total_Units is 6, and that of the rows 5"])
    }

    @Test("A total in a file with commas before decimals is read as the rows are")
    func commaTotals() throws {
        let lines = [
            SampleReport.financial, SampleReport.share("3", "1,42", "4,26", price: "2,39"), "Total_Amount\t4,27",
        ]
        #expect(
            try ReportReading(lines.joined(separator: "\n")).warnings == [
                "3: Total_Amount is 4.27, and that of the rows 4.26"
            ])
    }

    @Test("A country longer than any code is kept in its row, and no sum of the file is compared with the row's")
    func longCountry() throws {
        let lines = [
            SampleReport.financial, SampleReport.share("3", "1.42", "4.26", country: "Switzerland"),
            "Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share", "Switzerland\tEUR\t9\t9",
        ]
        let reading = try ReportReading(lines.joined(separator: "\n"))
        #expect(reading.sales.map(\.[.country]) == ["Switzerland"] && reading.warnings.isEmpty)
    }

    @Test("Damage behind rows is met at its place")
    func failure() throws {
        var chunks: [[UInt8]] = [Array((SampleReport.sales + "\n" + SampleReport.sale() + "\n").utf8)]
        var reader = try StoreReportReader(name: "x.txt") { () throws(MillError) in
            guard let chunk = chunks.popLast() else {
                throw MillError(stage: .reading, path: "x.txt", what: "damaged", exitStatus: .badData)
            }
            return chunk
        }
        guard case .sale = try reader.next() else {
            Issue.record("the row before the damage is lost")
            return
        }
        #expect(throws: MillError.self) { _ = try reader.next() }
    }
}
