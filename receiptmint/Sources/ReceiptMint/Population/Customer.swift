/// The owner of an app: when they got it, and what they bought in it.
struct Customer: Sendable {
    let app: App
    let environment: String
    /// Absent where the app's server knows devices only.
    let accountID: String?
    let joinedAt: CalendarTime
    /// In order of purchase.
    private(set) var transactions: [Transaction] = []

    static let production = "Production"
    static let sandbox = StoreCustomer.sandboxName
    static let volumePurchase = "ProductionVPP"

    /// Between these, receipts are created.
    static let firstReceipt = CalendarTime(2018, 2, 1)
    static let lastReceipt = CalendarTime(2025, 12, 20)

    var isSandbox: Bool { environment == Self.sandbox }

    /// Attribute 19.
    var originalVersion: String {
        isSandbox ? "1.0" : app.releases[app.release(at: joinedAt)].version
    }

    /// Attribute 18: a fixed date in the sandbox.
    var originallyPurchasedAt: CalendarTime {
        isSandbox ? CalendarTime(2013, 8, 1) + .hours(7) : joinedAt
    }

    /// Buys about so many things between joining and a time.
    mutating func buy(
        _ count: Int, until end: CalendarTime, numbers: inout TransactionNumbers, random: inout SeededRandom
    ) {
        var owned: Set<String> = []
        while transactions.count < count {
            // Of what is bought: consumables, non-consumables, season passes, subscriptions.
            let kinds: [Product.Kind] = [.consumable, .nonConsumable, .nonRenewing, .autoRenewable]
            let kind = kinds[random.weighted([33, 14, 8, 45])]
            let product = random.pick(app.products.filter { $0.kind == kind })
            // Those who buy much buy it week by week.
            let isHeavy = count > 12
            let start = time(
                between: joinedAt, and: isHeavy ? joinedAt + (end.milliseconds - joinedAt.milliseconds) / 4 : end,
                random: &random)
            switch kind {
            case .autoRenewable:
                subscribe(
                    to: product, from: start, until: end, most: count - transactions.count, numbers: &numbers,
                    random: &random)
            case .nonConsumable where !owned.insert(product.id).inserted:
                continue
            case .consumable, .nonConsumable, .nonRenewing:
                let at = isHeavy ? time(between: joinedAt, and: end, random: &random) : start
                purchase(product, at: at, numbers: &numbers, random: &random)
            }
        }
        refundSome(until: end, random: &random)
        transactions.sort { ($0.purchasedAt, $0.id) < ($1.purchasedAt, $1.id) }
    }

    private mutating func purchase(
        _ product: Product, at time: CalendarTime, numbers: inout TransactionNumbers, random: inout SeededRandom
    ) {
        let id = numbers.next(at: time, sandbox: isSandbox)
        var transaction = Transaction(
            id: id, originalID: id, product: product, purchasedAt: time,
            // First purchases often state an original date some seconds later.
            originallyPurchasedAt: time + (random.chance(0.3) ? random.seconds(1...5) : 0))
        if product.kind == .consumable {
            transaction.quantity = random.chance(0.05) ? Int64(random.int(2...5)) : 1
            transaction.isFinished = random.chance(0.4)
        }
        transactions.append(transaction)
    }

    /// A first period, perhaps on trial or at an introductory price, and its
    /// renewals up to a time; perhaps an upgrade to a longer period on the way.
    private mutating func subscribe(
        to first: Product, from start: CalendarTime, until end: CalendarTime, most: Int,
        numbers: inout TransactionNumbers, random: inout SeededRandom
    ) {
        var product = first
        var originalID: Int64?
        var original = start
        var begin = start
        let stopsAfter = most > 12 ? most : random.int(1...12)
        for period in 0..<min(most, stopsAfter) where begin <= end {
            let id = numbers.next(at: begin, sandbox: isSandbox)
            if period == 0 { original = begin + random.seconds(0...3) }
            var transaction = Transaction(
                id: id, originalID: originalID ?? id, product: product, purchasedAt: begin,
                originallyPurchasedAt: original)
            originalID = originalID ?? id
            transaction.webOrderLineItemID = numbers.nextLineItem(sandbox: isSandbox)
            let opening = period == 0 ? random.below(10) : 9
            transaction.isTrial = opening < 3
            transaction.isIntroductory = opening == 3
            if period > 2, random.chance(0.04) { transaction.promotionalOfferID = "winback_2" }
            var length = transaction.isTrial ? .days(7) : Int64(product.periodDays) * CalendarTime.day
            // The sandbox runs a month in five minutes.
            if isSandbox { length /= 8_640 }
            transaction.expiresAt = begin + length
            begin = begin + length
            if let longer = upgrade(of: product), random.chance(0.02), most > period + 1 {
                // An upgrade ends the running period at once and starts within seconds.
                begin = begin - length / 2
                if begin <= end {
                    transaction.canceledAt = begin
                    transaction.isUpgraded = true
                    product = longer
                } else {
                    begin = begin + length / 2
                }
            }
            transactions.append(transaction)
        }
    }

    private func upgrade(of product: Product) -> Product? {
        app.products.first { $0.kind == .autoRenewable && $0.periodDays > product.periodDays }
    }

    private mutating func refundSome(until end: CalendarTime, random: inout SeededRandom) {
        for index in transactions.indices where transactions[index].canceledAt == nil && !transactions[index].isTrial {
            guard random.chance(0.04) else { continue }
            let refundedAt = transactions[index].purchasedAt + random.wholeHours(1...480)
            if refundedAt <= end { transactions[index].canceledAt = refundedAt.truncated }
        }
    }

    /// A time of the day as people buy: whole seconds mostly, some with milliseconds
    /// since the store began to write them.
    func time(between start: CalendarTime, and end: CalendarTime, random: inout SeededRandom) -> CalendarTime {
        let span = max(0, end.milliseconds - start.milliseconds)
        let time = (start + Int64(random.below(Int(span) + 1)))
        return time > CalendarTime(2020, 9, 15) && random.chance(0.2) ? time : max(start, time.truncated)
    }
}
