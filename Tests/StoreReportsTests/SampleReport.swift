/// Texts of headers and rows.
enum SampleReport {
    /// The header of a SALES report with 28 columns.
    static let sales = """
        Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\tDeveloper Proceeds\t\
        Begin Date\tEnd Date\tCustomer Currency\tCountry Code\tCurrency of Proceeds\tApple Identifier\tCustomer Price\t\
        Promo Code\tParent Identifier\tSubscription\tPeriod\tCategory\tCMB\tDevice\tSupported Platforms\t\
        Proceeds Reason\tPreserved Pricing\tClient\tOrder Type
        """
    /// The header of a SALES report of 2009, with 27 columns.
    static let sales2009 = """
        Provider\tProvider Country\tVendor Identifier\tUPC\tISRC\tArtist / Show\tTitle / Episode / Season\t\
        Label/Studio/Network\tProduct Type Identifier\tUnits\tRoyalty Price\tBegin Date\tEnd Date\tCustomer Currency\t\
        Country Code\tRoyalty Currency\tPreorder\tSeason Pass\tISAN\tApple Identifier\tCustomer Price\tCMA\t\
        Asset/Content Flavor\tVendor Offer Code\tGrid\tPromo Code\tParent Identifier
        """
    static let financial = """
        Start Date\tEnd Date\tUPC\tISRC/ISBN\tVendor Identifier\tQuantity\tPartner Share\tExtended Partner Share\t\
        Partner Share Currency\tSales or Return\tApple Identifier\tArtist/Show/Developer/Author\tTitle\t\
        Label/Studio/Network/Developer/Publisher\tGrid\tProduct Type Identifier\tISAN/Other Identifier\tCountry Of Sale\t\
        Pre-order Flag\tPromo Code\tCustomer Price\tCustomer Currency
        """
    static let detail = """
        Transaction Date\tSettlement Date\tApple Identifier\tSKU\tTitle\tDeveloper Name\tProduct Type Identifier\t\
        Country of Sale\tQuantity\tPartner Share\tExtended Partner Share\tPartner Share Currency\tCustomer Price\t\
        Customer Currency\tSale or Return\tPromo Code\tOrder Type\tRegion
        """

    /// A row of 28 cells.
    static func sale(
        _ units: String = "1", price: String = "9.99", proceeds: String = "7.00", day: String = "04/01/2026",
        sku: String = "gold"
    ) -> String {
        "APPLE\tUS\t\(sku)\t \tGold\t \tIAY\t\(units)\t\(proceeds)\t\(day)\t\(day)\tUSD\tUS\tUSD\t6702026778\t\(price)\t \t"
            + "com.example\tNew\t1 Month\tUtilities\t \tiPhone\tiOS\t \t \t \t "
    }

    /// A row of 22 cells.
    static func share(
        _ units: String, _ share: String, _ extended: String, price: String = "2.39", currency: String = "EUR",
        country: String = "DE", sign: String = "S"
    ) -> String {
        "08/31/2014\t09/27/2014\t\t\tgold\t\(units)\t\(share)\t\(extended)\t\(currency)\t\(sign)\t283459501\tDev\tGold\t\t\tIAY\t\t"
            + "\(country)\t\t\t\(price)\t\(currency)"
    }
}
