package import MintSigning

/// What the store signs of a subscription's renewal at a moment
/// (JWSRenewalInfoDecodedPayload). It names no bundle.
package struct RenewalClaims: Sendable {
    package let customer: StoreCustomer
    package var originalID: Int64
    package var product: Product
    /// What the next period will be of.
    package var nextProduct: Product
    package var willRenew = true
    /// 1 the customer's wish, 2 billing, 3 a price increase, 4 no such product, 5 other.
    package var expirationIntent: Int64?
    package var isInBillingRetry = false
    package var graceEndsAt: CalendarTime?
    /// 0 until the customer consents, then 1.
    package var priceIncreaseStatus: Int64?
    /// In milliunits.
    package var nextPrice: Int64
    /// Of the period to come.
    package var offer: StoreTransaction.Offer?
    package var winBackOffers: [String] = []
    package var plan: PlanRenewal?
    /// Of the seats that the next period will have.
    package var seatTiers: [SeatPurchase.Tier]?
    package var commerce: CommerceSale?
    package var startedAt: CalendarTime
    package var renewsAt: CalendarTime
    package var signedAt: CalendarTime

    /// When the store began to state prices, win-back offers, and the account within the app.
    private static let statesPrice = CalendarTime(2024, 6, 10)
    private static let statesWinBack = CalendarTime(2024, 7, 15)
    private static let statesAccount = CalendarTime(2025, 2, 21)

    package var price: Int64? { willRenew && signedAt >= Self.statesPrice ? nextPrice : nil }
    package var currency: String? { price == nil ? nil : customer.storefront.currency }
    private var isRecent: Bool { signedAt >= Self.statesAccount }

    package var payload: JSONText {
        var json = JSONText()
        json.add("expirationIntent", expirationIntent)
        json.add("originalTransactionId", String(originalID))
        json.add("autoRenewProductId", nextProduct.id)
        json.add("productId", product.id)
        json.add("autoRenewStatus", Int64(willRenew ? 1 : 0))
        json.add("renewalPrice", price)
        json.add("currency", currency)
        if isInBillingRetry { json.add("isInBillingRetryPeriod", true) }
        json.add("priceIncreaseStatus", priceIncreaseStatus)
        json.add("gracePeriodExpiresDate", graceEndsAt)
        if let offer {
            json.add("offerType", offer.type)
            json.add("offerIdentifier", offer.id)
            json.add("offerDiscountType", offer.discount.rawValue)
            if isRecent { json.add("offerPeriod", offer.period) }
        }
        json.add("signedDate", signedAt)
        json.add("environment", customer.environment)
        json.add("recentSubscriptionStartDate", startedAt)
        json.add("renewalDate", renewsAt)
        if !winBackOffers.isEmpty, signedAt >= Self.statesWinBack {
            json.add("eligibleWinBackOfferIds", json: JSONText.array(winBackOffers.map { JSONText.string($0) }))
        }
        if isRecent {
            json.add("appAccountToken", customer.appAccountToken)
            json.add("appTransactionId", customer.appTransactionID)
        }
        plan?.add(to: &json)
        if let seatTiers {
            json.add("renewalQuantity", seatTiers.reduce(0) { $0 + $1.quantity })
            var seats = JSONText()
            seats.add("renewalPriceTiers", json: SeatPurchase.array(seatTiers))
            json.add("multiSeatInfo", seats)
        }
        if let commerce { json.add("advancedCommerceInfo", commerce.renewalJSON()) }
        return json
    }
}
