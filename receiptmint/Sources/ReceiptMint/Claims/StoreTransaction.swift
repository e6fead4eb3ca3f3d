/// One transaction as the store knows it in the end; `TransactionClaims` is
/// what it says of it at a moment.
struct StoreTransaction: Sendable, Changeable {
    var id: Int64
    var originalID: Int64
    var customer: StoreCustomer
    var product: Product
    var quantity: Int64 = 1
    var purchasedAt: CalendarTime
    /// When it was paid, where that was later: a payment that failed was made within the grace period.
    var recoveredAt: CalendarTime?
    var originallyPurchasedAt: CalendarTime
    /// Of subscriptions that renew.
    var expiresAt: CalendarTime?
    var webOrderLineItemID: Int64?
    /// In milliunits of the storefront's currency, for the quantity; family members pay nothing.
    var price: Int64?
    var offer: Offer?
    var isRenewal = false
    var ownership = Ownership.purchased
    var revocation: Revocation?
    /// When an upgrade took its place.
    var upgradedAt: CalendarTime?
    var plan: BillingPlan?
    var seats: SeatPurchase?
    /// When seats were added to the period, by this transaction or a later one.
    var seatsAddedAt: CalendarTime?
    var commerce: CommerceSale?
    /// Of the purchase that this one took the place of, by a migration.
    var previousOriginalID: Int64?
    var unknownMembers: [UnknownMember] = []

    /// The names are the store's.
    enum Ownership: String, Sendable {
        case purchased = "PURCHASED"
        case familyShared = "FAMILY_SHARED"
        /// A seat of another customer's subscription.
        case assigned = "ASSIGNED"
    }

    struct Offer: Sendable, Equatable {
        /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
        var type: Int64
        var id: String?
        var discount: Discount
        /// ISO 8601.
        var period: String

        enum Discount: String, Sendable {
            case freeTrial = "FREE_TRIAL"
            case payAsYouGo = "PAY_AS_YOU_GO"
            case payUpFront = "PAY_UP_FRONT"
        }
    }

    struct Revocation: Sendable, Equatable {
        var at: CalendarTime
        /// 1 for a fault of the app, else 0.
        var reason: Int64
        var kind: Kind
        /// Thousandths of a percent.
        var percentage: Int64?
        /// When the store took a refund back.
        var reversedAt: CalendarTime?

        enum Kind: String, Sendable {
            case full = "REFUND_FULL"
            case prorated = "REFUND_PRORATED"
            case family = "FAMILY_REVOKE"
            case assignment = "ASSIGNMENT_REVOKE"
        }
    }

    typealias Original = (id: Int64, at: CalendarTime)

    /// The first transaction of a subscription, and of what is bought once itself.
    var original: Original { (originalID, originallyPurchasedAt) }
    var isSubscription: Bool { product.kind == .autoRenewable }
    var isFamilyShared: Bool { ownership == .familyShared }
    /// What was charged: of seats, their prices together.
    var amount: Int64? { seats?.amount ?? price }

    /// Whether access had been bought by then, had not run out, and was not taken away.
    func isRunning(at time: CalendarTime) -> Bool {
        guard let expiresAt, purchasedAt <= time, time < expiresAt, upgradedAt.map({ time < $0 }) ?? true else {
            return false
        }
        if let revocation, revocation.at <= time, revocation.reversedAt == nil { return false }
        return commerce?.items.contains { $0.revokedAt.map { time < $0 } ?? true } ?? true
    }
}

extension StoreTransaction {
    /// A purchase with identifiers of its own, at the product's price unless another is given.
    init(
        of product: Product, by customer: StoreCustomer, at time: CalendarTime, price: Int64? = nil,
        original: Original? = nil, until expiresAt: CalendarTime? = nil, numbers: inout TransactionNumbers
    ) {
        let id = numbers.next(at: time, sandbox: customer.isSandbox)
        self.init(
            id: id, originalID: original?.id ?? id, customer: customer, product: product, purchasedAt: time,
            originallyPurchasedAt: original?.at ?? time, expiresAt: expiresAt,
            webOrderLineItemID: expiresAt.map { _ in numbers.nextLineItem(sandbox: customer.isSandbox) },
            price: price ?? customer.storefront.price(ofDollars: product.dollars))
    }
}

/// What the store signs of a transaction at a moment (JWSTransactionDecodedPayload).
struct TransactionClaims: SignedClaims, Changeable {
    static let kind = "signed_transaction"

    var transaction: StoreTransaction
    let signedAt: CalendarTime
    /// Present in what devices fetch.
    var device: DeviceVerification?

    /// When the store began to state how much it gave back, and, before that,
    /// offers' periods and the account within the app.
    private static let statesRevocationType = CalendarTime(2025, 12, 10)
    private static let statesOfferPeriod = CalendarTime(2025, 2, 21)
    /// Days on which it left prices out.
    private static let priceGap = CalendarTime(2023, 12, 4)..<CalendarTime(2023, 12, 9)

    private var customer: StoreCustomer { transaction.customer }

    var environmentName: String { customer.environmentName }
    var bundleID: String? { customer.app.bundleID }
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
    var seatsRevoked: Int64? {
        guard let revoked = transaction.seats?.revokedSeats(at: signedAt), revoked > 0 else { return nil }
        return revoked
    }
    var reason: String { transaction.isRenewal ? "RENEWAL" : "PURCHASE" }
    var offerPeriod: String? { signedAt < Self.statesOfferPeriod ? nil : transaction.offer?.period }
    var appTransactionID: String? { signedAt < Self.statesOfferPeriod ? nil : customer.appTransactionID }
    var isUpgraded: Bool { transaction.upgradedAt.map { $0 <= signedAt } ?? false }
    var subscriptionGroup: String? { transaction.isSubscription ? customer.app.subscriptionGroup : nil }

    /// A refund that was made by now and is not taken back yet.
    var revocation: StoreTransaction.Revocation? {
        transaction.revocation.flatMap { $0.at <= signedAt && signedAt < $0.reversedAt ?? .distant ? $0 : nil }
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

/// Binds a string to the device that fetched it: a nonce, and SHA-384 over the
/// nonce and the device's verification identifier, both as lower-case text.
struct DeviceVerification: Sendable {
    let deviceVerificationID: String
    let nonce: String
    let hash: String

    init(of device: String, random: inout SeededRandom) throws {
        deviceVerificationID = device
        nonce = random.uuid()
        hash = Base64.standard(try Digest.sha384.hash(Array((nonce + device.lowercased()).utf8)))
    }
}

extension CalendarTime {
    /// Later than all that the mint makes.
    static let distant = CalendarTime(2100, 1, 1)
}
