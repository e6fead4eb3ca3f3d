/// What the store signs of a transaction at a moment (JWSTransactionDecodedPayload).
struct TransactionClaims: SignedClaims, Changeable {
    static let kind = "signed_transaction"

    var transaction: StoreTransaction
    let signedAt: CalendarTime
    /// Present in what devices fetch.
    var device: DeviceVerification?

    /// When the store began to state how much it gave back.
    private static let statesRevocationType = CalendarTime(2025, 12, 10)
    /// Days on which it left prices out.
    private static let priceGap = CalendarTime(2023, 12, 4)..<CalendarTime(2023, 12, 9)

    private var customer: StoreCustomer { transaction.customer }

    var environmentName: String { customer.environmentName }
    var bundleID: String? { customer.app.bundleID }
    /// What the purchase is known by, and what its subscription is known by.
    var key: String { "\(environmentName) \(customer.app.bundleID) \(transaction.id)" }
    var subscriptionKey: String { "\(environmentName) \(transaction.originalID)" }
    var transactionIDs: [String] { [String(transaction.id)] }
    var unknown: [UnknownMember] {
        transaction.unknownMembers.filter { [.transaction, .item].contains($0.object) }
    }

    var price: Int64? { Self.priceGap.contains(signedAt) ? nil : transaction.price }
    /// What was charged: of seats, their prices together.
    var amount: Int64? { price == nil ? nil : transaction.amount }
    var currency: String? { price == nil ? nil : customer.storefront.currency }
    var ownership: String { transaction.ownership.rawValue }
    var additionalReason: String? {
        transaction.seatsAddedAt.flatMap { $0 <= signedAt ? "SEAT_ADDITION" : nil }
    }
    /// Of the seats, those that had been refunded.
    var seatsRevoked: Int64? { transaction.seats?.revokedSeats(at: signedAt) }
    var reason: String { transaction.isRenewal ? "RENEWAL" : "PURCHASE" }
    var offerPeriod: String? { statesAccount ? transaction.offer?.period : nil }
    var appTransactionID: String? { statesAccount ? customer.appTransactionID : nil }
    var isUpgraded: Bool { transaction.upgradedAt.map { $0 <= signedAt } ?? false }
    var subscriptionGroup: String? { transaction.isSubscription ? customer.app.subscriptionGroup : nil }

    /// A refund that was made by now and is not taken back yet.
    var revocation: StoreTransaction.Revocation? {
        guard let revocation = transaction.revocation, revocation.at <= signedAt else { return nil }
        return revocation.reversedAt.map { $0 <= signedAt } ?? false ? nil : revocation
    }
    var revocationType: String? { signedAt < Self.statesRevocationType ? nil : revocation?.kind.rawValue }
    var revocationPercentage: Int64? { signedAt < Self.statesRevocationType ? nil : revocation?.percentage }

    /// What the document says was given back: of seats an estimate, by the average.
    var refunded: Int64 {
        if let commerce = transaction.commerce {
            let refunds = commerce.items.flatMap(\.refunds)
            return refunds.reduce(0) { $0 + ($1.at <= signedAt ? $1.amount : 0) }
        }
        guard revocation != nil else { return seatsRefunded }
        return ((transaction.amount ?? 0) * (revocationPercentage ?? 100_000) + 50_000) / 100_000
    }
    var seatsRefunded: Int64 { transaction.seats?.estimate(of: seatsRevoked ?? 0) ?? 0 }

    var payload: JSONText {
        let (sold, offer, isUpgraded) = (transaction, transaction.offer, isUpgraded.ifTrue)
        var json: JSONText = [
            "transactionId": String(sold.id), "originalTransactionId": String(sold.originalID),
            "webOrderLineItemId": sold.webOrderLineItemID.map { String($0) }, "bundleId": bundleID,
            "productId": sold.product.id, "subscriptionGroupIdentifier": subscriptionGroup,
            "purchaseDate": sold.purchasedAt, "originalPurchaseDate": sold.originallyPurchasedAt,
            "expiresDate": sold.expiresAt, "quantity": sold.quantity, "type": sold.product.typeName,
            "deviceVerification": device?.hash, "deviceVerificationNonce": device?.nonce,
            "appAccountToken": customer.appAccountToken, "inAppOwnershipType": ownership, "signedDate": signedAt,
            "revocationReason": revocation?.reason, "revocationDate": revocation?.at,
            "revocationType": revocationType, "revocationPercentage": revocationPercentage, "isUpgraded": isUpgraded,
            "offerType": offer?.type, "offerIdentifier": offer?.id, "offerDiscountType": offer?.discount.rawValue,
            "offerPeriod": offerPeriod, "environment": customer.environment, "transactionReason": reason,
            "storefront": customer.storefront.country, "storefrontId": customer.storefront.id, "price": price,
            "currency": currency, "appTransactionId": appTransactionID,
            "billingPlanType": sold.plan?.name, "commitmentInfo": sold.plan?.commitment?.info,
            "multiSeatInfo": sold.seats?.json(at: signedAt), "additionalTransactionReason": additionalReason,
            "advancedCommerceInfo": sold.commerce?.json(at: signedAt, unknown: sold.unknownMembers),
            "previousOriginalTransactionId": sold.previousOriginalID.map { String($0) },
        ]
        json.add(sold.unknownMembers, of: .transaction)
        return json
    }
}
