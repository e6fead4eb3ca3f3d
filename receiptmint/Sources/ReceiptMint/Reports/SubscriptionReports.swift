/// SUBSCRIPTION, daily: how many subscriptions are active; no column states the day.
enum SubscriptionReport {
    static let header =
        [
            "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID", "Subscription Group ID",
            "Standard Subscription Duration", "Subscription Offer Name", "Promotional Offer ID", "Customer Price",
            "Customer Currency", "Developer Proceeds", "Proceeds Currency", "Preserved Pricing", "Proceeds Reason",
            "Client", "Device", "State", "Country",
        ] + counts

    private static let counts = [
        "Active Standard Price Subscriptions", "Active Free Trial Introductory Offer Subscriptions",
        "Active Pay Up Front Introductory Offer Subscriptions", "Active Pay As You Go Introductory Offer Subscriptions",
        "Free Trial Promotional Offer Subscriptions", "Pay Up Front Promotional Offer Subscriptions",
        "Pay As You Go Promotional Offer Subscriptions", "Free Trial Offer Code Subscriptions",
        "Pay Up Front Offer Code Subscriptions", "Pay As You Go Offer Code Subscriptions", "Marketing Opt-Ins",
        "Billing Retry", "Grace Period", "Subscribers", "Free Trial Win-back Offers", "Pay Up Front Win-back Offers",
        "Pay As You Go Win-back Offers",
    ]

    /// - Parameter periods: as sales, because rows of periods and of sales have most cells in common.
    static func file(of periods: [(sale: ReportedSale, until: StoreDay)], on day: StoreDay) -> ReportText {
        var rows: [[String]: [Int: Int]] = [:]
        for (sale, until) in periods where sale.day <= day && day < until {
            let cells =
                sale.subscriptionCells + sale.moneyCells + ["", sale.isSecondYear ? sale.proceedsReason : "", ""]
                + [sale.device, " ", sale.ware.storefront.shortCountry]
            rows[cells, default: [:]][column(of: sale.offer), default: 0] += 1
        }
        var text = ReportText(header)
        // Subscribers are no longer counted.
        text.add(
            rows: rows.map { cells, found in
                cells + counts.indices.map { counts[$0] == "Subscribers" ? "" : String(found[$0] ?? 0) }
            })
        return text
    }

    /// The place among ``counts`` of the column that counts periods with this offer.
    private static func column(of offer: StoreTransaction.Offer?) -> Int {
        guard let offer else { return 0 }
        let discount = [.freeTrial: 0, .payUpFront: 1, .payAsYouGo: 2][offer.discount] ?? 0
        return ([1: 1, 2: 4, 3: 7, 4: 14][offer.type] ?? 1) + discount
    }
}

/// SUBSCRIPTION_EVENT, daily, version 1_3: how many of each event.
enum SubscriptionEventReport {
    static let header = [
        "Event Date", "Event", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
        "Subscription Group ID", "Standard Subscription Duration", "Subscription Offer Type",
        "Subscription Offer Duration", "Marketing Opt-In", "Marketing Opt-In Duration", "Preserved Pricing",
        "Proceeds Reason", "Subscription Offer Name", "Promotional Offer ID", "Consecutive Paid Periods",
        "Original Start Date", "Device", "Client", "State", "Country", "Previous Subscription Name",
        "Previous Subscription Apple ID", "Days Before Canceling", "Cancellation Reason", "Days Canceled", "Quantity",
        "Paid Service Days Recovered",
    ]

    static func file(of sales: [ReportedSale], on day: StoreDay) -> ReportText {
        let sales = sales.filter(\.ware.isSubscription)
        let rows = GroupedRows(sales.map { (cells($0, day), abs($0.units)) }, uniquingKeysWith: +)
        var text = ReportText(header)
        text.add(rows) { $0.with(String($1), at: header.count - 2) }
        return text
    }

    private static func cells(_ sale: ReportedSale, _ day: StoreDay) -> [String] {
        let start = [day.iso, event(sale)] + sale.subscriptionCells.prefix(6)
        let offer = [sale.offer?.discount.reportName ?? "", sale.offerDuration, "", ""]
        let terms = [
            sale.hasPreservedPrice ? "Yes" : "", sale.isSecondYear ? sale.proceedsReason : "", " ",
            sale.offer?.id ?? " ", sale.isRenewal ? "2" : "1", (sale.purchaseDay ?? day).iso,
        ]
        let place = [sale.device, "", " ", sale.ware.storefront.shortCountry, "", " "]
        return start + offer + terms + place + [" ", " ", " ", "", sale.isRecovered ? "1" : ""]
    }

    private static func event(_ sale: ReportedSale) -> String {
        if sale.isRefund { return "Refund" }
        if sale.isRecovered { return "Renewal from Billing Retry" }
        let kinds: [Int64: String] = [
            1: "Introductory Offer", 2: "Promotional Offer", 3: "Offer Code", 4: "Win-Back Offer",
        ]
        if let kind = sale.offer.flatMap({ kinds[$0.type] }) { return "Start " + kind }
        return sale.isRenewal ? "Renew" : "Subscribe"
    }
}

/// SUBSCRIBER, detailed, daily, version 1_3: each purchase and refund of a random number.
enum SubscriberReport {
    static let header = [
        "Event Date", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID", "Subscription Group ID",
        "Standard Subscription Duration", "Subscription Offer Name", "Promotional Offer ID", "Subscription Offer Type",
        "Subscription Offer Duration", "Marketing Opt-In Duration", "Customer Price", "Customer Currency",
        "Developer Proceeds", "Proceeds Currency", "Preserved Pricing", "Proceeds Reason", "Client", "Device",
        "Country", "Subscriber ID", "Subscriber ID Reset", "Refund", "Purchase Date", "Units",
    ]

    static func file(of sales: [ReportedSale], on day: StoreDay) -> ReportText {
        let rows = sales.filter(\.ware.isSubscription).map { sale in
            [day.iso] + sale.subscriptionCells
                + [sale.offer?.discount.reportName ?? "", sale.offerDuration, ""] + sale.moneyCells
                + [sale.hasPreservedPrice ? "Yes" : " ", sale.proceedsReason, " ", sale.device]
                + [sale.ware.storefront.shortCountry, String(sale.subscriber), "", sale.isRefund ? "Yes" : ""]
                + [sale.purchaseDay?.iso ?? "", String(sale.units)]
        }
        var text = ReportText(header)
        text.add(rows: rows)
        return text
    }
}

extension ReportedSale {
    fileprivate var subscriptionCells: [String] {
        [
            ware.appSKU, String(ware.app.itemID), ware.subscriptionName, String(ware.appleID),
            ware.app.subscriptionGroup, ware.period, " ", offer?.id ?? " ",
        ]
    }

    fileprivate var moneyCells: [String] {
        let currency = ware.storefront.currency
        return [ReportText.amount(customerPrice), currency, ReportText.amount(proceeds), currency]
    }

    fileprivate var offerDuration: String {
        guard let offer else { return "" }
        return ["P1W": "1 Week", "P1M": "1 Month", "P1Y": "1 Year"][offer.period] ?? ""
    }
}
