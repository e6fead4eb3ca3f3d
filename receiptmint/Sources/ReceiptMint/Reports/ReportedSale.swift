internal import Foundation

/// A sale or refund as the store's reports count it; reports add up those that are alike.
struct ReportedSale: Sendable, Changeable {
    var ware: StoreWare
    /// The day under which SALES counts it.
    var day: StoreDay
    /// Below zero for refunds.
    var units: Int64
    /// The price of one unit, in milliunits of the storefront's currency; never below zero.
    var price: Int64
    var transactionDay: StoreDay
    var settlementDay: StoreDay
    /// Whether the developer is paid for the sale: test purchases and members' shares are in SALES alone.
    var isSettled = true
    var isRenewal = false
    var isRecovered = false
    var isSecondYear = false
    var offer: StoreTransaction.Offer?
    var hasPreservedPrice = false
    /// The store's random number of a subscriber.
    var subscriber: Int64 = 0
    /// The day on which a refunded purchase was sold; nil of sales.
    var purchaseDay: StoreDay?

    init(ware: StoreWare, day: StoreDay, units: Int64, price: Int64) {
        (self.ware, self.day, self.units, self.price) = (ware, day, units, price)
        (transactionDay, settlementDay) = (day, day)
    }

    init(_ sale: OwnSale, on day: StoreDay, units: Int64, price: Int64) {
        self.init(ware: sale.ware, day: day, units: units, price: price)
        (isRenewal, isSecondYear, offer) = (sale.transaction.isRenewal, sale.isSecondYear, sale.transaction.offer)
        subscriber = 7_000_000_000_000 + sale.transaction.originalID % 1_000_000_000_000
    }

    mutating func move(to day: StoreDay) { (self.day, transactionDay, settlementDay) = (day, day, day) }

    var isRefund: Bool { units < 0 }
    /// The price of one unit as reports state it: below zero for refunds.
    var customerPrice: Int64 { isRefund ? -price : price }
    /// What the developer gets of one, in milliunits.
    var proceeds: Int64 { ware.storefront.proceeds(of: price, on: transactionDay, isSecondYear: isSecondYear) }

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
    /// `Pay As You Go` of `PAY_AS_YOU_GO`.
    var reportName: String { rawValue.replacing("_", with: " ").capitalized }
}
