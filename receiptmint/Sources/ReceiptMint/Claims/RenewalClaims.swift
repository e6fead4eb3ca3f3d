/// What the store signs of a subscription's renewal at a moment
/// (JWSRenewalInfoDecodedPayload). It names no bundle.
struct RenewalClaims: SignedClaims, Changeable {
    static let kind = "signed_renewal"

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

    /// When the store began to state prices, and win-back offers.
    private static let statesPrice = CalendarTime(2024, 6, 10)
    private static let statesWinBack = CalendarTime(2024, 7, 15)

    var environmentName: String { customer.environmentName }
    /// What the subscription is known by.
    var key: String { "\(environmentName) \(originalID)" }
    var price: Int64? { willRenew && signedAt >= Self.statesPrice ? nextPrice : nil }
    var currency: String? { price == nil ? nil : customer.storefront.currency }

    var payload: JSONText {
        let isInBillingRetry = isInBillingRetry.ifTrue
        let winBackOffers = winBackOffers.isEmpty || signedAt < Self.statesWinBack ? nil : winBackOffers
        let seatInfo: JSONText? = seatTiers.map { ["renewalPriceTiers": $0.stated] }
        return [
            "expirationIntent": expirationIntent, "originalTransactionId": String(originalID),
            "autoRenewProductId": nextProduct.id, "productId": product.id,
            "autoRenewStatus": Int64(willRenew ? 1 : 0), "renewalPrice": price, "currency": currency,
            "isInBillingRetryPeriod": isInBillingRetry, "priceIncreaseStatus": priceIncreaseStatus,
            "gracePeriodExpiresDate": graceEndsAt,
            "offerType": offer?.type, "offerIdentifier": offer?.id, "offerDiscountType": offer?.discount.rawValue,
            "offerPeriod": statesAccount ? offer?.period : nil,
            "signedDate": signedAt, "environment": customer.environment, "recentSubscriptionStartDate": startedAt,
            "renewalDate": renewsAt, "eligibleWinBackOfferIds": winBackOffers,
            "appAccountToken": statesAccount ? customer.appAccountToken : nil,
            "appTransactionId": statesAccount ? customer.appTransactionID : nil,
            "renewalBillingPlanType": plan?.plan.name, "commitmentInfo": plan?.info,
            "renewalQuantity": seatTiers?.quantity, "multiSeatInfo": seatInfo,
            "advancedCommerceInfo": commerce?.json(),
        ]
    }
}

extension RenewalClaims {
    /// What a transaction's subscription renews to.
    init(of transaction: StoreTransaction, to product: Product, price: Int64) {
        self.init(
            customer: transaction.customer, originalID: transaction.originalID, product: transaction.product,
            nextProduct: product, nextPrice: price, startedAt: transaction.originallyPurchasedAt,
            renewsAt: transaction.expiresAt ?? transaction.purchasedAt, signedAt: transaction.purchasedAt)
    }

    /// The renewal is off, for a reason.
    func ended(_ intent: Int64) -> RenewalClaims { with { ($0.willRenew, $0.expirationIntent) = (false, intent) } }

    /// A payment failed, and the store tries again.
    var retried: RenewalClaims { with { ($0.isInBillingRetry, $0.expirationIntent) = (true, 2) } }
}
