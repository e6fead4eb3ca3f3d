/// SALES, Summary, daily, version 1_0: 28 columns.
enum SalesReport {
    static let header = [
        "Provider", "Provider Country", "SKU", "Developer", "Title", "Version", "Product Type Identifier", "Units",
        "Developer Proceeds", "Begin Date", "End Date", "Customer Currency", "Country Code", "Currency of Proceeds",
        "Apple Identifier", "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category",
        "CMB", "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client", "Order Type",
    ]
    private static let unitsColumn = 7

    /// - Parameter random: draws downloads, which are no sales: they are free, or updates.
    static func file(of sales: [ReportedSale], on day: StoreDay, random: inout SeededRandom) -> ReportText {
        var rows = GroupedRows(sales) { cells($0, day) }
        for _ in 0..<random.int(2...6) {
            let app = random.weighted(App.all.map(\.weight))
            let ware = StoreWare(app: app, product: 0, storefront: random.weighted(Storefront.all.map(\.weight)))
            let cells = download(ware, day, kind: random.weighted([5, 3, 6]))
            rows[cells, default: 0] += Int64(random.int(1...40))
        }
        var text = ReportText(header)
        text.add(rows) { $0.with(String($1), at: unitsColumn) }
        return text
    }

    private static func cells(_ sale: ReportedSale, _ day: StoreDay) -> [String] {
        let ware = sale.ware
        return [
            "APPLE", "US", ware.product.id, " ", ware.title, " ", ware.type, "", ReportText.amount(sale.proceeds),
            day.american, day.american, ware.storefront.currency, ware.storefront.shortCountry,
            ware.storefront.currency, String(ware.appleID), ReportText.amount(sale.customerPrice),
            " ", ware.appSKU, sale.subscriptionKind, ware.isSubscription ? ware.period : " ", "Photo & Video", "",
            sale.device, ware.app.platform == .macos ? "macOS" : "iOS", sale.proceedsReason,
            sale.hasPreservedPrice ? "Yes" : " ", " ", sale.orderType,
        ]
    }

    /// - Parameter kind: 0 a download, 1 a download that isn't the first, 2 an update.
    private static func download(_ ware: StoreWare, _ day: StoreDay, kind: Int) -> [String] {
        let isMac = ware.app.platform == .macos
        let type = isMac ? ["F1", "F3", "F7"][kind] : ["1F", "3F", "7F"][kind]
        return [
            "APPLE", "US", ware.appSKU, "EXAMPLE DEVELOPER", ware.appSKU, ware.app.releases[60].version, type, "",
            "0.00", day.american, day.american, ware.storefront.currency, ware.storefront.shortCountry,
            // Of what is free for good, some rows state no currency of proceeds.
            kind == 0 ? " " : ware.storefront.currency, String(ware.app.itemID), "0.00", " ", " ", " ", " ",
            "Photo & Video", "", isMac ? "Desktop" : "iPhone", isMac ? "macOS" : "iOS", " ", " ", " ", " ",
        ]
    }
}
