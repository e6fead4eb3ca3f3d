internal import TestSupport

/// Apple report files that a test writes.
enum StoreReportFiles {
    static let header = [
        "Provider", "Provider Country", "SKU", "Developer", "Title", "Version", "Product Type Identifier", "Units",
        "Developer Proceeds", "Begin Date", "End Date", "Customer Currency", "Country Code", "Currency of Proceeds",
        "Apple Identifier", "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category",
        "CMB", "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client", "Order Type",
    ].joined(separator: "\t")

    /// A row of a SALES report in the United States, for one day or for the days up to another.
    static func sale(
        _ sku: String, units: Int, price: String = "9.99", day: String = "03/31/2026", until last: String? = nil,
        product: Int = 600_000_001, parent: String = "lumen"
    ) -> String {
        [
            "APPLE", "US", sku, " ", "Gems", " ", "IA1", "\(units)", "8.49", day, last ?? day, "USD", "US", "USD",
            "\(product)", price, " ", parent, " ", " ", "Games", "", "iPhone", "iOS", " ", " ", " ", " ",
        ].joined(separator: "\t")
    }

    static func text(_ rows: String...) -> String { ([header] + rows + [""]).joined(separator: "\n") }
}
