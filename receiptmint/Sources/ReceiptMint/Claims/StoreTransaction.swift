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

    /// Its worth a month, without what was given back.
    var monthly: Int64 {
        if let commerce { return commerce.items.reduce(0) { $0 + ($1.revokedAt == nil ? $1.price : 0) } }
        if let seats { return seats.amount - seats.estimate(of: seats.revokedSeats) }
        guard product.periodDays == 365, plan?.commitment == nil else { return price ?? 0 }
        return ((price ?? 0) + 6) / 12
    }

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
