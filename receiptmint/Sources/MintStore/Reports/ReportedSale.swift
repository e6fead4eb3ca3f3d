/// A sale or refund as the store's reports count it; reports add up those that are alike.
package struct ReportedSale: Sendable {
    package var ware: StoreWare
    /// The day under which SALES counts it.
    package var day: StoreDay
    /// Below zero for refunds.
    package var units: Int64
    /// The price of one unit, in milliunits of the storefront's currency; never below zero.
    package var price: Int64
    package var transactionDay: StoreDay
    package var settlementDay: StoreDay
    /// Whether the developer is paid for the sale: test purchases and members' shares are in SALES alone.
    package var isSettled = true
    package var isRenewal = false
    package var isRecovered = false
    package var isSecondYear = false
    package var offer: StoreTransaction.Offer?
    package var hasPreservedPrice = false
    /// The store's random number of a subscriber.
    package var subscriber: Int64
    /// The day on which a refunded purchase was sold; nil of sales.
    package var purchaseDay: StoreDay?

    package init(
        ware: StoreWare, day: StoreDay, units: Int64, price: Int64, transactionDay: StoreDay, settlementDay: StoreDay,
        subscriber: Int64
    ) {
        self.ware = ware
        self.day = day
        self.units = units
        self.price = price
        self.transactionDay = transactionDay
        self.settlementDay = settlementDay
        self.subscriber = subscriber
    }

    package var gross: Int64 { units * price }
    package var isRefund: Bool { units < 0 }
    /// What the developer gets of one, in milliunits.
    package var proceeds: Int64 {
        StoreShare.proceeds(of: price, in: ware.storefront, on: transactionDay, isSecondYear: isSecondYear)
    }

    var device: String {
        if ware.app.platform == .macos { return "Desktop" }
        return subscriber % 5 == 0 ? "iPad" : "iPhone"
    }

    var subscriptionKind: String { ware.isSubscription ? (isRenewal ? "Renewal" : "New") : " " }
    var proceedsReason: String { isSecondYear ? "Rate After One Year" : " " }

    /// The column Order Type.
    var orderType: String {
        guard let offer else { return " " }
        // Codes and promotional offers go by the identifier of the offer.
        if let id = offer.id { return id }
        return offer.discount.reportName + " Intro Offer"
    }
}

extension StoreTransaction.Offer.Discount {
    var reportName: String {
        switch self {
        case .freeTrial: "Free Trial"
        case .payAsYouGo: "Pay As You Go"
        case .payUpFront: "Pay Up Front"
        }
    }
}
