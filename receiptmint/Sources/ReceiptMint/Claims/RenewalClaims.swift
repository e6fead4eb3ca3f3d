/// What the store signs of a subscription's renewal at a moment
/// (JWSRenewalInfoDecodedPayload). It names no bundle.
struct RenewalClaims: Sendable {
    let customer: StoreCustomer
    var originalID: Int64
    var product: Product
    /// What the next period will be of.
    var nextProduct: Product
    var willRenew = true
    /// 1 the customer's wish, 2 billing, 3 a price increase, 4 no such product, 5 other.
    var expirationIntent: Int64?
    var isInBillingRetry = false
    var graceEndsAt: CalendarTime?
    /// 0 until the customer consents, then 1.
    var priceIncreaseStatus: Int64?
    /// In milliunits.
    var nextPrice: Int64
    /// Of the period to come.
    var offer: StoreTransaction.Offer?
    var winBackOffers: [String] = []
    var plan: PlanRenewal?
    /// Of the seats that the next period will have.
    var seatTiers: [SeatPurchase.Tier]?
    var commerce: CommerceSale?
    var startedAt: CalendarTime
    var renewsAt: CalendarTime
    var signedAt: CalendarTime

    /// When the store began to state prices, win-back offers, and the account within the app.
    private static let statesPrice = CalendarTime(2024, 6, 10)
    private static let statesWinBack = CalendarTime(2024, 7, 15)
    private static let statesAccount = CalendarTime(2025, 2, 21)

    var price: Int64? { willRenew && signedAt >= Self.statesPrice ? nextPrice : nil }
    var currency: String? { price == nil ? nil : customer.storefront.currency }
    private var isRecent: Bool { signedAt >= Self.statesAccount }

    var payload: JSONText {
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
