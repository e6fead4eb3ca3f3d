/// FINANCE_DETAIL, region Z1: sales by the days on which they were made and settled.
enum FinanceDetailReport {
    static let header = [
        "Transaction Date", "Settlement Date", "Apple Identifier", "SKU", "Title", "Developer Name",
        "Product Type Identifier", "Country of Sale", "Quantity", "Partner Share", "Extended Partner Share",
        "Partner Share Currency", "Customer Price", "Customer Currency", "Sale or Return", "Promo Code", "Order Type",
        "Region",
    ]

    /// - Parameter sales: those that were settled in the month.
    static func file(of sales: [ReportedSale], in month: FiscalMonth) -> ReportText {
        var rows = GroupedRows()
        for sale in sales { rows.add(cells(sale), units: sale.units) }
        var text = ReportText()
        text.add(["Vendor Name", "EXAMPLE VENDOR"])
        text.add(["Start Date", month.first.american])
        text.add(["End Date", month.last.american])
        text.add(header)
        for (cells, units) in rows.sorted { text.add(cells.withQuantity(units, at: 8, share: 9, extended: 10)) }
        return text
    }

    private static func cells(_ sale: ReportedSale) -> [String] {
        let (ware, storefront) = (sale.ware, sale.ware.storefront)
        return [
            sale.transactionDay.american, sale.settlementDay.american, String(ware.appleID), ware.product.id,
            ware.title,
            "", ware.type, storefront.shortCountry, "", String(sale.proceeds), "", storefront.currency,
            ReportText.amount(sale.isRefund ? -sale.price : sale.price, digits: 3), storefront.currency,
            sale.isRefund ? "R" : "S", "", "",
            // Canada's provinces tax by themselves.
            storefront.country == "CAN" ? ["AB", "ON", "QC"][Int(sale.subscriber % 3)] : "",
            // Real files have one field more than names.
            "",
        ]
    }
}

/// FINANCIAL: sales by the fiscal month in which they were settled.
enum FinancialReport {
    static let header = [
        "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity", "Partner Share",
        "Extended Partner Share", "Partner Share Currency", "Sales or Return", "Apple Identifier",
        "Artist/Show/Developer/Author", "Title", "Label/Studio/Network/Developer/Publisher", "Grid",
        "Product Type Identifier", "ISAN/Other Identifier", "Country Of Sale", "Pre-order Flag", "Promo Code",
        "Customer Price", "Customer Currency",
    ]

    /// One region's file, with the three lines that count its rows.
    ///
    /// - Parameter sales: those that were settled in the month, of one currency.
    static func region(of sales: [ReportedSale], in month: FiscalMonth) -> ReportText {
        var text = ReportText()
        let sums = add(sales, month, to: &text)
        addTotals(rows: sums.rows, amount: sums.extended, units: sums.units, to: &text)
        return text
    }

    /// All regions in one file: a header before each region's rows, and a summary at the end.
    static func allRegions(of sales: [ReportedSale], in month: FiscalMonth) -> ReportText {
        var text = ReportText()
        var (rows, amount, units): (Int, Int64, Int64) = (0, 0, 0)
        var summary: [(country: String, currency: String, units: Int64, extended: Int64)] = []
        for region in Set(sales.map(\.ware.storefront.financeRegion)).sorted() {
            let ofRegion = sales.filter { $0.ware.storefront.financeRegion == region }
            let sums = add(ofRegion, month, to: &text)
            rows += sums.rows
            amount += sums.extended
            units += sums.units
            for country in Set(ofRegion.map(\.ware.storefront.shortCountry)).sorted() {
                let ofCountry = ofRegion.filter { $0.ware.storefront.shortCountry == country }
                summary.append(
                    (
                        country, ofCountry[0].ware.storefront.currency, ofCountry.reduce(0) { $0 + $1.units },
                        ofCountry.reduce(0) { $0 + $1.units * $1.proceeds }
                    ))
            }
        }
        addTotals(rows: rows, amount: amount, units: units, to: &text)
        text.add(["Country Of Sale", "Partner Share Currency", "Quantity", "Extended Partner Share"])
        for line in summary {
            text.add([line.country, line.currency, String(line.units), ReportText.amount(line.extended)])
        }
        return text
    }

    private static func addTotals(rows: Int, amount: Int64, units: Int64, to text: inout ReportText) {
        text.add(["Total_Rows", String(rows)])
        text.add(["Total_Amount", ReportText.amount(amount)])
        text.add(["Total_Units", String(units)])
    }

    private static func add(
        _ sales: [ReportedSale], _ month: FiscalMonth, to text: inout ReportText
    ) -> (rows: Int, units: Int64, extended: Int64) {
        var rows = GroupedRows()
        for sale in sales { rows.add(cells(sale, month), units: sale.units) }
        text.add(header)
        for (cells, units) in rows.sorted { text.add(cells.withQuantity(units, at: 5, share: 6, extended: 7)) }
        return (
            rows.sorted.count, sales.reduce(0) { $0 + $1.units }, sales.reduce(0) { $0 + $1.units * $1.proceeds }
        )
    }

    private static func cells(_ sale: ReportedSale, _ month: FiscalMonth) -> [String] {
        let (ware, storefront) = (sale.ware, sale.ware.storefront)
        return [
            month.first.american, month.last.american, "", "", ware.product.id, "", String(sale.proceeds), "",
            storefront.currency, sale.isRefund ? "R" : "S", String(ware.appleID), "", ware.title, "", "", ware.type, "",
            storefront.shortCountry, "", "", ReportText.amount(sale.isRefund ? -sale.price : sale.price),
            storefront.currency,
        ]
    }
}

extension [String] {
    /// Fills in what depends on the quantity; until then the share stands in milliunits.
    fileprivate func withQuantity(_ units: Int64, at quantity: Int, share: Int, extended: Int) -> [String] {
        var cells = self
        let proceeds = Int64(cells[share]) ?? 0
        cells[quantity] = String(units)
        cells[share] = ReportText.amount(proceeds)
        cells[extended] = ReportText.amount(units * proceeds)
        return cells
    }
}
