package import MintSigning

/// One transaction as the store knows it in the end; `TransactionClaims` is
/// what it says of it at a moment.
package struct StoreTransaction: Sendable {
    package var id: Int64
    package var originalID: Int64
    package var customer: StoreCustomer
    package var product: Product
    package var quantity: Int64 = 1
    package var purchasedAt: CalendarTime
    /// When it was paid, where that was later: a payment that failed was made within the grace period.
    package var recoveredAt: CalendarTime?
    package var originallyPurchasedAt: CalendarTime
    /// Of subscriptions that renew.
    package var expiresAt: CalendarTime?
    package var webOrderLineItemID: Int64?
    /// In milliunits of the storefront's currency, for the quantity; family members pay nothing.
    package var price: Int64?
    package var offer: Offer?
    package var isRenewal = false
    package var ownership = Ownership.purchased
    package var revocation: Revocation?
    /// When an upgrade took its place.
    package var upgradedAt: CalendarTime?
    package var plan: BillingPlan?
    package var seats: SeatPurchase?
    /// When seats were added to the period, by this transaction or a later one.
    package var seatsAddedAt: CalendarTime?
    package var commerce: CommerceSale?
    /// Of the purchase that this one took the place of, by a migration.
    package var previousOriginalID: Int64?
    package var unknownMembers: [UnknownMember] = []

    /// The names are the store's.
    package enum Ownership: String, Sendable {
        case purchased = "PURCHASED"
        case familyShared = "FAMILY_SHARED"
        /// A seat of another customer's subscription.
        case assigned = "ASSIGNED"
    }

    package struct Offer: Sendable, Equatable {
        /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
        package var type: Int64
        package var id: String?
        package var discount: Discount
        /// ISO 8601.
        package var period: String

        package enum Discount: String, Sendable {
            case freeTrial = "FREE_TRIAL"
            case payAsYouGo = "PAY_AS_YOU_GO"
            case payUpFront = "PAY_UP_FRONT"
        }
    }

    package struct Revocation: Sendable, Equatable {
        package var at: CalendarTime
        /// 1 for a fault of the app, else 0.
        package var reason: Int64
        package var kind: Kind
        /// Thousandths of a percent.
        package var percentage: Int64?
        /// When the store took a refund back.
        package var reversedAt: CalendarTime?

        package enum Kind: String, Sendable {
            case full = "REFUND_FULL"
            case prorated = "REFUND_PRORATED"
            case family = "FAMILY_REVOKE"
            case assignment = "ASSIGNMENT_REVOKE"
        }
    }

    package var isSubscription: Bool { product.kind == .autoRenewable }
    package var isFamilyShared: Bool { ownership == .familyShared }
    /// What was charged: of seats, their prices together.
    package var amount: Int64? { seats?.amount ?? price }

    /// Whether access had been bought by then, had not run out, and was not taken away.
    package func isRunning(at time: CalendarTime) -> Bool {
        guard let expiresAt, purchasedAt <= time, time < expiresAt, upgradedAt.map({ time < $0 }) ?? true else {
            return false
        }
        if let revocation, revocation.at <= time, revocation.reversedAt == nil { return false }
        return commerce?.items.contains { $0.revokedAt.map { time < $0 } ?? true } ?? true
    }
}

/// What the store signs of a transaction at a moment (JWSTransactionDecodedPayload).
package struct TransactionClaims: Sendable {
    package var transaction: StoreTransaction
    package let signedAt: CalendarTime
    /// Present in what devices fetch.
    package var device: DeviceVerification?

    /// When the store began to state how much it gave back, and, before that,
    /// offers' periods and the account within the app.
    private static let statesRevocationType = CalendarTime(2025, 12, 10)
    private static let statesOfferPeriod = CalendarTime(2025, 2, 21)
    /// Days on which it left prices out.
    private static let priceGap = CalendarTime(2023, 12, 4)..<CalendarTime(2023, 12, 9)

    package init(_ transaction: StoreTransaction, signedAt: CalendarTime, device: DeviceVerification? = nil) {
        self.transaction = transaction
        self.signedAt = signedAt
        self.device = device
    }

    private var customer: StoreCustomer { transaction.customer }

    package var price: Int64? { Self.priceGap.contains(signedAt) ? nil : transaction.price }
    /// What was charged: of seats, their prices together.
    package var amount: Int64? { price == nil ? nil : transaction.amount }
    package var currency: String? { price == nil ? nil : customer.storefront.currency }
    package var ownership: String { transaction.ownership.rawValue }
    package var additionalReason: String? {
        transaction.seatsAddedAt.flatMap { $0 <= signedAt ? "SEAT_ADDITION" : nil }
    }
    /// Of the seats, those that had been refunded.
    package var seatsRevoked: Int64? {
        guard let revoked = transaction.seats?.revokedSeats(at: signedAt), revoked > 0 else { return nil }
        return revoked
    }
    package var reason: String { transaction.isRenewal ? "RENEWAL" : "PURCHASE" }
    package var offerPeriod: String? { signedAt < Self.statesOfferPeriod ? nil : transaction.offer?.period }
    package var appTransactionID: String? { signedAt < Self.statesOfferPeriod ? nil : customer.appTransactionID }
    package var isUpgraded: Bool { transaction.upgradedAt.map { $0 <= signedAt } ?? false }
    package var subscriptionGroup: String? { transaction.isSubscription ? customer.app.subscriptionGroup : nil }

    /// A refund that was made by now and is not taken back yet.
    package var revocation: StoreTransaction.Revocation? {
        transaction.revocation.flatMap { $0.at <= signedAt && signedAt < $0.reversedAt ?? .distant ? $0 : nil }
    }
    package var revocationType: String? { signedAt < Self.statesRevocationType ? nil : revocation?.kind.rawValue }
    package var revocationPercentage: Int64? { signedAt < Self.statesRevocationType ? nil : revocation?.percentage }

    /// What the document says was given back: of seats an estimate, by the average.
    package var refunded: Int64 {
        if let commerce = transaction.commerce {
            let refunds = commerce.items.flatMap(\.refunds)
            return refunds.reduce(0) { $0 + ($1.at <= signedAt ? $1.amount : 0) }
        }
        guard revocation != nil else { return seatsRefunded }
        return ((transaction.amount ?? 0) * (revocationPercentage ?? 100_000) + 50_000) / 100_000
    }
    package var seatsRefunded: Int64 { transaction.seats?.estimate(of: seatsRevoked ?? 0) ?? 0 }

    package var payload: JSONText {
        var json = JSONText()
        json.add("transactionId", String(transaction.id))
        json.add("originalTransactionId", String(transaction.originalID))
        json.add("webOrderLineItemId", transaction.webOrderLineItemID.map { String($0) })
        json.add("bundleId", customer.app.bundleID)
        json.add("productId", transaction.product.id)
        json.add("subscriptionGroupIdentifier", subscriptionGroup)
        json.add("purchaseDate", transaction.purchasedAt)
        json.add("originalPurchaseDate", transaction.originallyPurchasedAt)
        json.add("expiresDate", transaction.expiresAt)
        json.add("quantity", transaction.quantity)
        json.add("type", transaction.product.typeName)
        device?.add(to: &json)
        json.add("appAccountToken", customer.appAccountToken)
        json.add("inAppOwnershipType", ownership)
        json.add("signedDate", signedAt)
        if let revocation {
            json.add("revocationReason", revocation.reason)
            json.add("revocationDate", revocation.at)
            json.add("revocationType", revocationType)
            json.add("revocationPercentage", revocationPercentage)
        }
        if isUpgraded { json.add("isUpgraded", true) }
        if let offer = transaction.offer {
            json.add("offerType", offer.type)
            json.add("offerIdentifier", offer.id)
            json.add("offerDiscountType", offer.discount.rawValue)
            json.add("offerPeriod", offerPeriod)
        }
        json.add("environment", customer.environment)
        json.add("transactionReason", reason)
        json.add("storefront", customer.storefront.country)
        json.add("storefrontId", customer.storefront.id)
        json.add("price", price)
        json.add("currency", currency)
        json.add("appTransactionId", appTransactionID)
        transaction.plan?.add(to: &json)
        if let seats = transaction.seats { json.add("multiSeatInfo", seats.json(at: signedAt)) }
        json.add("additionalTransactionReason", additionalReason)
        if let commerce = transaction.commerce {
            json.add("advancedCommerceInfo", commerce.json(at: signedAt, unknown: transaction.unknownMembers))
        }
        json.add("previousOriginalTransactionId", transaction.previousOriginalID.map { String($0) })
        json.add(transaction.unknownMembers, of: .transaction)
        return json
    }
}

/// Binds a string to the device that fetched it: a nonce, and SHA-384 over the
/// nonce and the device's verification identifier, both as lower-case text.
package struct DeviceVerification: Sendable {
    package let deviceVerificationID: String
    package let nonce: String
    package let hash: String

    package init(of device: String, random: inout SeededRandom) throws {
        deviceVerificationID = device
        nonce = random.uuid()
        hash = Base64.standard(try Digest.sha384.hash(Array((nonce + device.lowercased()).utf8)))
    }

    package func add(to json: inout JSONText) {
        json.add("deviceVerification", hash)
        json.add("deviceVerificationNonce", nonce)
    }
}

extension CalendarTime {
    /// Later than all that the mint makes.
    package static let distant = CalendarTime(2100, 1, 1)
}
