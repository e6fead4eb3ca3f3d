import Foundation
import StoreReports
import Testing

@Suite("A list of payments")
struct PaymentTests {
    /// The member `read` of each row, and what else the reader said.
    private func read(_ text: String) throws -> (rows: [[String: String]], reading: ReportReading) {
        let reading = try ReportReading(text, name: "financial_report.csv")
        #expect(reading.kind == .payments)
        let rows = try reading.rows.map { row in
            let object = try JSONSerialization.jsonObject(with: Data(row.fields.utf8)) as? [String: Any]
            return try #require(object?["read"] as? [String: String])
        }
        return (rows, reading)
    }

    @Test("in German has commas before decimals, and names of its own language")
    func german() throws {
        let (rows, reading) = try read(
            """
            "iTunes Connect - Zahlungen und Finanzberichte\t(März, 2014)",,,,,,,,,,,,
            ,,,,,,,,,,,,
            Region (Währung),Einheiten,Einnahmen,Zwischensumme,Vorsteuer,Anpassungen,Quellensteuer,Gesamt,Wechselkurs,Erlöse,Währung,
            Schweiz (CHF),"1.029","1.033,15","1.033,15","0","0","0","1.033,15","0,80030","826,83","EUR",
            Japan (JPY),"2","179","179","0","0","-37","142","0,00817","1,16","EUR",
            ,,,,,,,,,,,,
            ,,,,,,,,,,"827,99" EUR,,
            ,,,,,,,,,,Bezahlt an BANK,,
            """)
        #expect(
            rows[0] == [
                "currency": "CHF", "units": "1029", "earned": "1033.15", "total_owed": "1033.15",
                "exchange_rate": "0.80030",
                "proceeds": "826.83", "bank_currency": "EUR",
            ])
        #expect(reading.rows.map(\.product) == ["Schweiz", "Japan"] && reading.rows[0].day == "2014-03")
        #expect(reading.rows[0].fields.contains("\"Wechselkurs\":\"0,80030\""))
        #expect(reading.warnings.isEmpty && reading.rejections.isEmpty && rows[1]["proceeds"] == "1.16")
    }

    @Test(
        "has numbers as people write them, and a month",
        arguments: [
            ("1 234,56", "0,91956", "(Septembre, 2014)"), ("1\u{a0}234,56", "0,91956", "(septiembre, 2014)"),
            ("1\u{202f}234,56", "0,9", "(settembre, 2014)"), ("1.234,56", "1", "(2014年9月)"),
            ("1'234.56", "0.91956", "(九月, 2014)"), ("1,234.56", "0.91956", "（September, 2014）"),
        ])
    func numbers(amount: String, rate: String, title: String) throws {
        let (rows, reading) = try read(
            """
            "iTunes Connect - X\t\(title)"

            Land (W),a,b,c,d,e,f,g,h,i,j
            "X（CHF）","1","\(amount)","0","0","0","0","\(amount)","\(rate)","\(amount)","EUR"
            """)
        #expect(rows.first?["proceeds"] == "1234.56" && rows.first?["earned"] == "1234.56", "\(reading.rejections)")
        #expect(reading.rows.first?.product == "X" && reading.rows.first?.day == "2014-09")
    }

    @Test("may lack a rate, state balances, and stand in several tables")
    func variants() throws {
        let (rows, reading) = try read(
            """
            "iTunes Connect - Payments and Financial Reports\t(July, 2026)"
            Country or Region (Currency),Units Sold,Earned,Input Tax,Adjustments,Withholding Tax,Total Owed,Proceeds,Bank Account Currency
            Mexico (MXN),19,2999.72,0,479.92,0,3479.64,3479.64,MXN
            ,,,,,,,"3,479.65 MXN"
            ,,,,,,,Paid to BANK
            Earnings below the threshold,,,,,,,,
            Country or Region (Currency),Balance,Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency,
            "Norway (NOK)","5.00","1","7.00","12.00","0","0","0","12.00","","","",
            Norway,"5.00","1","7.00","12.00","0","0","0","12.00","","","",
            "Norway (NOK)","5.00","1","seven","12.00","0","0","0","12.00","","","",
            """)
        #expect(rows.map { $0["units"] } == ["19", "1"] && rows.map { $0["total_owed"] } == ["3479.64", "12"])
        #expect(rows.map { $0["proceeds"] } == ["3479.64", nil] && rows[1]["earned"] == "7")
        #expect(reading.warnings == ["4: the total is 3479.65 MXN, and that of the rows 3479.64"])
        #expect(reading.rejections.map { $0.prefix(8) } == ["9 text: ", "10 numbe"], "\(reading.rejections)")
    }

    @Test("in Chinese has two columns of one name")
    func chinese() throws {
        let (rows, reading) = try read(
            """
            国家或地区 (货币),销量,收入,税前小计,进项税,调整,预扣税,总欠款,汇率,收入,银行账户币种
            日本 (JPY),2,179,179,0,0,-37,142,0.00817,1.16,USD
            """)
        #expect(rows[0]["earned"] == "179" && rows[0]["proceeds"] == "1.16" && rows[0]["total_owed"] == "142")
        #expect(reading.rows[0].fields.contains("\"收入 (2)\":\"1.16\"") && reading.rows[0].day == nil)
    }

    private static let header = """
        Country or Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,\
        Exchange Rate,Proceeds,Bank Account Currency,
        """
    private static let euros = #""Switzerland (CHF)","29","33.15","33.15","0","0","0","33.15","0.80030","26.53","EUR","#

    @Test("in several tables has the month of the last title, which is kept where no other follows")
    func months() throws {
        let (rows, reading) = try read(
            """
            "iTunes Connect - Payments and Financial Reports (June, 2025)",,,,,,,,,,,
            ;;;;
            \(Self.header)
            \(Self.euros)
            ,,,,,,,,,,"26.53" EUR,
            \(Self.header)
            \(Self.euros)
            "iTunes Connect - Payments and Financial Reports (July, 2025)",,,,,,,,,,,
            \(Self.header)
            \(Self.euros)
            "iTunes Connect - Payments and Financial Reports (Kesäkuu, 2025)",,,,,,,,,,,
            \(Self.header)
            \(Self.euros)
            """)
        #expect(rows.count == 4 && reading.rejections.isEmpty)
        #expect(reading.rows.map(\.day) == ["2025-06", "2025-06", "2025-07", nil])
        #expect(
            reading.warnings.count == 1 && reading.warnings[0].hasPrefix("11: the title '\"iTunes"),
            "\(reading.warnings)")
    }

    @Test(
        "has a title in one of several languages",
        arguments: [
            ("Sep, 2025", "2025-09"), ("Июнь 2025", "2025-06"), ("Haziran 2025", "2025-06"), ("2025年6月", "2025-06"),
            ("2025년 6월", "2025-06"), ("Grudzień, 2025", "2025-12"), ("Augusti, 2025", "2025-08"),
            ("Ağustos, 2025", "2025-08"), ("Kesäkuu, 2025", nil),
        ])
    func titles(month: String, day: String?) throws {
        let (_, reading) = try read("\"Apple (\(month))\",,,,\n,,,\n\(Self.header)\n\(Self.euros)")
        #expect(reading.rows.map(\.day) == [day])
        #expect(reading.warnings.count == (day == nil ? 1 : 0), "\(reading.warnings)")
    }

    @Test("may be separated by semicolons, and blank lines have any delimiters")
    func semicolons() throws {
        let (rows, reading) = try read(
            """
            iTunes Connect (September 2014);;;;
            ;;;
            Land oder Region (Währung);Einheiten;Verdient;Zwischensumme;Vorsteuer;Anpassungen;Quellensteuer;Geschuldet;Kurs;Erlöse;Währung
            Schweiz (CHF);1.029;33,15;33,15;0;0;0;33,15;1.380,30;26,53;EUR
            ,,,,
            """)
        #expect(reading.rows.map(\.day) == ["2014-09"] && reading.warnings.isEmpty && reading.rejections.isEmpty)
        #expect(rows[0]["units"] == "1029" && rows[0]["proceeds"] == "26.53" && rows[0]["exchange_rate"] == "1380.30")
    }

    @Test("in another language with a balance states no units, because either number may be the balance")
    func balance() throws {
        let (rows, reading) = try read(
            """
            "Apple (Juni, 2025)"
            Land (Währung),Saldo,Einheiten,Einnahmen,Zwischensumme,Vorsteuer,Anpassungen,Steuer,Gesamt,Kurs,Erlöse,Währung,
            "Norwegen (NOK)","5,00","1","7,00","12,00","0","0","0","12,00","0,10","1,20","EUR",
            """)
        #expect(rows.count == 1 && reading.rejections.isEmpty)
        #expect(rows[0]["units"] == nil && rows[0]["earned"] == "7" && rows[0]["proceeds"] == "1.20")
    }

    @Test(
        "has no row without the columns up to the bank account's",
        arguments: [
            ("\"Japan (JPY)\"", "6 columns: the row ends after 1 cells, before Bank Account Currency"),
            ("\"Japan (JPY)\",\"2\"", "6 columns: the row ends after 2 cells, before Bank Account Currency"),
            ("Japan (JPY),2,179,17", "6 columns: the row ends after 4 cells, before Bank Account Currency"),
            ("Japan (JPY),2,179,179,0,0,-37,142,0.00817,1.16", "6 columns: the row ends after 10 cells"),
        ])
    func cut(row: String, rejection: String) throws {
        let (rows, reading) = try read("\"Apple (June, 2025)\"\n\n\n\(Self.header)\n\(Self.euros)\n\(row)\n")
        #expect(rows.count == 1 && reading.rejections.count == 1 && reading.rejections[0].hasPrefix(rejection))
    }

    @Test("without a number that tells thousands from decimals has one group of thousands rejected")
    func ambiguous() throws {
        let row = #""Japan (JPY)","1,029","5,000","5000","0","0","0","5000","1","5000","JPY","#
        let (_, reading) = try read(
            "\"Apple (June, 2025)\"\n\(Self.header)\n\(row)\n\(row.replacing("5,000", with: "5000"))")
        #expect(reading.rows.map(\.line) == [4] && reading.rejections.count == 1)
        #expect(reading.rejections[0].hasPrefix("3 number: Earned '5,000' has three decimals or thousands"))
        #expect(try read("\"Apple (June, 2025)\"\n\(Self.header)\n\(row)\n\(Self.euros)").rows[0]["earned"] == "5000")
    }
}
