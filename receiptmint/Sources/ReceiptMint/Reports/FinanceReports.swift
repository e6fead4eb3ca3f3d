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
        var text = ReportText(
            ["Vendor Name", "EXAMPLE VENDOR"], ["Start Date", month.first.american],
            ["End Date", month.last.american], header)
        text.add(GroupedRows(sales, cells: cells)) { $0.withQuantity($1, at: 8) }
        return text
    }

    private static func cells(_ sale: ReportedSale) -> [String] {
        let (ware, storefront) = (sale.ware, sale.ware.storefront)
        return [
            sale.transactionDay.american, sale.settlementDay.american, String(ware.appleID), ware.product.id,
            ware.title, "", ware.type, storefront.shortCountry, "", String(sale.proceeds), "", storefront.currency,
            ReportText.amount(sale.customerPrice, digits: 3), storefront.currency,
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

    /// The rows of each region under a header of their own, three lines that count all rows, and perhaps a summary by
    /// country.
    ///
    /// - Parameter sales: those that were settled in the month.
    static func file(of sales: [ReportedSale], in month: FiscalMonth, hasSummary: Bool) -> ReportText {
        var text = ReportText()
        var summary = ReportText(["Country Of Sale", "Partner Share Currency", "Quantity", "Extended Partner Share"])
        for ofRegion in sales.grouped(by: \.ware.storefront.financeRegion) {
            text.add(header)
            text.add(GroupedRows(ofRegion) { cells($0, month) }) { $0.withQuantity($1, at: 5) }
            for ofCountry in ofRegion.grouped(by: \.ware.storefront.shortCountry) {
                let storefront = ofCountry[0].ware.storefront
                summary.add([
                    storefront.shortCountry, storefront.currency, String(ofCountry.units),
                    ReportText.amount(ofCountry.extendedShare),
                ])
            }
        }
        text.add(["Total_Rows", String(text.rows)])
        text.add(["Total_Amount", ReportText.amount(sales.extendedShare)])
        text.add(["Total_Units", String(sales.units)])
        if hasSummary { text.add(summary) }
        return text
    }

    private static func cells(_ sale: ReportedSale, _ month: FiscalMonth) -> [String] {
        let (ware, storefront) = (sale.ware, sale.ware.storefront)
        return [
            month.first.american, month.last.american, "", "", ware.product.id, "", String(sale.proceeds), "",
            storefront.currency, sale.isRefund ? "R" : "S", String(ware.appleID), "", ware.title, "", "", ware.type, "",
            storefront.shortCountry, "", "", ReportText.amount(sale.customerPrice),
            storefront.currency,
        ]
    }
}

extension [String] {
    /// Fills in the quantity, and in the next two columns the share, which stood in milliunits, and its multiple.
    fileprivate func withQuantity(_ units: Int64, at column: Int) -> [String] {
        let proceeds = Int64(self[column + 1]) ?? 0
        return with(String(units), at: column).with(ReportText.amount(proceeds), at: column + 1)
            .with(ReportText.amount(units * proceeds), at: column + 2)
    }
}

extension [ReportedSale] {
    fileprivate var units: Int64 { reduce(0) { $0 + $1.units } }
    fileprivate var extendedShare: Int64 { reduce(0) { $0 + $1.units * $1.proceeds } }

    /// Groups in the order of what they have in common.
    func grouped(by key: (ReportedSale) -> String) -> [[ReportedSale]] {
        Dictionary(grouping: self, by: key).sorted { $0.key < $1.key }.map(\.value)
    }
}
