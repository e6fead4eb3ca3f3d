/// What becomes of a customer's purchases, and when the store or the customer
/// presents a document of them. A history is played to its end first, because what the
/// store signs at a moment depends on what had happened by then.
struct StoreHistory {
    let customer: StoreCustomer
    /// Members of the family that share the customer's purchases.
    var family: [StoreCustomer] = []
    var transactions: [StoreTransaction] = []
    private(set) var events: [Event] = []
    /// When the last document is signed.
    var end = StoreCustomer.lastSigning
    var parameters = MintParameters()
    var population: Population { parameters.population }
    var random: SeededRandom
    var numbers: TransactionNumbers

    struct Event {
        var at: CalendarTime
        /// Index of a transaction.
        var transaction: Int
        var renewal: RenewalClaims?
        /// Of the store's notification, `TYPE` or `TYPE/SUBTYPE`; without, a device hands in what it bought.
        var notice: String?
        var status: Int64?
        var reason: String?

        /// Whether the store's later answers about the customer say all of it.
        var isRoutine: Bool {
            guard let notice else { return true }
            return ["SUBSCRIBED", "DID_RENEW", "ONE_TIME_CHARGE"].contains(notice.prefix { $0 != "/" })
        }
    }

    /// Those that something was signed of.
    var observed: [Event] { events.filter { $0.at <= end }.stablySorted(by: \.at) }

    /// The store answers for one account: the buyer's, not the family's.
    func sold(before time: CalendarTime) -> [StoreTransaction] {
        transactions.filter { ($0.recoveredAt ?? $0.purchasedAt) < time && !$0.isFamilyShared }
    }

    mutating func present(_ transaction: Int, at time: CalendarTime, renewal: RenewalClaims? = nil) {
        events.append(Event(at: time, transaction: transaction, renewal: renewal))
    }

    /// - Parameter status: stated with a renewal only.
    mutating func notify(
        _ name: String, at time: CalendarTime, _ transaction: Int, renewal: RenewalClaims? = nil,
        status: Int64 = 1, reason: String? = nil
    ) {
        events.append(
            Event(
                at: time, transaction: transaction, renewal: renewal, notice: name,
                status: renewal.map { _ in status }, reason: reason))
    }

    /// The customer's purchase of a product, at its price unless another is given.
    mutating func sale(
        of product: Product, at time: CalendarTime, price: Int64? = nil, original: StoreTransaction.Original? = nil,
        until expiresAt: CalendarTime? = nil
    ) -> StoreTransaction {
        StoreTransaction(
            of: product, by: customer, at: time, price: price, original: original, until: expiresAt, numbers: &numbers)
    }

    /// The first or a further transaction of the subscription that the history is about.
    mutating func subscription(
        to product: Product, at time: CalendarTime, price: Int64? = nil, until expiresAt: CalendarTime
    ) -> StoreTransaction {
        sale(of: product, at: time, price: price, original: transactions.first?.original, until: expiresAt)
    }

    /// Adds a transaction that a device presents, and of which the store notifies.
    ///
    /// - Returns: the transaction's index.
    @discardableResult
    mutating func begin(
        _ transaction: StoreTransaction, _ name: String, renewal: RenewalClaims? = nil, isPresented: Bool = true
    ) -> Int {
        let index = add(transaction)
        let boughtAt = transaction.purchasedAt
        if isPresented { present(index, at: boughtAt + .seconds(20)) }
        notify(name, at: boughtAt + .seconds(transaction.isSubscription ? 1 : 2), index, renewal: renewal)
        return index
    }

    /// - Returns: the transaction's index.
    mutating func add(_ transaction: StoreTransaction) -> Int {
        transactions.append(transaction)
        return transactions.count - 1
    }

    /// Takes a purchase away whole.
    mutating func revoke(_ transaction: Int, at time: CalendarTime, _ kind: StoreTransaction.Revocation.Kind) {
        let percentage: Int64? = kind == .full ? 100_000 : nil
        transactions[transaction].revocation = .init(at: time, reason: 0, kind: kind, percentage: percentage)
    }

    func price(_ dollars: Int64) -> Int64 { customer.storefront.price(ofDollars: dollars) }

    mutating func hours(_ range: ClosedRange<Int>) -> Int64 {
        random.seconds(range.lowerBound * 3_600...range.upperBound * 3_600)
    }

    /// Something that is bought once.
    mutating func buy(_ product: Product, at time: CalendarTime) {
        let quantity: Int64 = product.kind == .consumable && random.chance(0.1) ? Int64(random.int(2...5)) : 1
        let transaction = sale(of: product, at: time, price: price(product.dollars) * quantity)
        let index = add(transaction.with { $0.quantity = quantity })
        if random.chance(0.85) { present(index, at: time + random.seconds(1...90)) }
        if random.chance(0.5) { notify("ONE_TIME_CHARGE", at: time + .seconds(2), index) }
        if random.chance(0.15) { present(index, at: time + hours(24...2_000)) }
        if product.kind == .nonConsumable { share(index, at: time) }
        if random.chance(0.05) { _ = refund(index, at: time + hours(24...600)) }
    }

    /// Each member of the family gets a transaction of its own.
    mutating func share(_ shared: Int, at time: CalendarTime) {
        for member in family {
            let index = give(transactions[shared], to: member, as: .familyShared, at: time)
            (transactions[index].price, transactions[index].offer) = (nil, nil)
            if random.chance(0.8) { present(index, at: time + hours(1...100)) }
            guard random.chance(0.15) else { continue }
            takeAway(index, at: time + hours(24...400), .family)
        }
    }

    /// A member's own transaction of what another customer bought. Those of a subscription hang together as the buyer's
    /// do.
    ///
    /// - Returns: the transaction's index.
    mutating func give(
        _ bought: StoreTransaction, to member: StoreCustomer, as ownership: StoreTransaction.Ownership,
        at time: CalendarTime
    ) -> Int {
        let id = numbers.next(at: time, sandbox: customer.isSandbox)
        let first = transactions.first {
            $0.customer.appTransactionID == member.appTransactionID && $0.isSubscription && bought.isSubscription
        }
        return add(
            bought.with {
                ($0.customer, $0.ownership, $0.id, $0.originalID) = (member, ownership, id, first?.originalID ?? id)
            })
    }

    /// Takes a member's purchase away, of which the store notifies.
    mutating func takeAway(
        _ transaction: Int, at time: CalendarTime, _ kind: StoreTransaction.Revocation.Kind, after seconds: Int = 3
    ) {
        revoke(transaction, at: time, kind)
        notify("REVOKE", at: time + .seconds(seconds), transaction)
    }

    /// The customer asks for the money back.
    ///
    /// - Returns: whether the purchase is taken away for good.
    mutating func refund(_ index: Int, at time: CalendarTime, renewal: RenewalClaims? = nil) -> Bool {
        let time = time.truncated
        let reasons = ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "OTHER"]
        if random.chance(0.6) {
            notify("CONSUMPTION_REQUEST", at: time - .hours(12), index, renewal: renewal, reason: random.pick(reasons))
        }
        if random.chance(0.15) {
            notify("REFUND_DECLINED", at: time, index, renewal: renewal)
            return false
        }
        var revocation = StoreTransaction.Revocation(
            at: time, reason: random.chance(0.3) ? 1 : 0, kind: .full, percentage: 100_000)
        if random.chance(0.4) {
            revocation.kind = .prorated
            revocation.percentage = Int64(random.int(5_000...95_000))
        }
        notify("REFUND", at: time + .seconds(40), index, renewal: renewal?.ended(1), status: 5)
        let isReversed = random.chance(0.12)
        if isReversed {
            let reversedAt = time + hours(24...200)
            revocation.reversedAt = reversedAt
            notify("REFUND_REVERSED", at: reversedAt, index, renewal: renewal)
        }
        transactions[index].revocation = revocation
        return !isReversed
    }
}
