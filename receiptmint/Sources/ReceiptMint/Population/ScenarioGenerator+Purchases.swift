/// What customers buy.
extension ScenarioGenerator<Submission> {
    /// Buys about so many things between joining and a time.
    mutating func buy(_ count: Int, for customer: inout Customer, until end: CalendarTime) {
        var owned: Set<String> = []
        while customer.transactions.count < count {
            let kinds: [Product.Kind] = [.consumable, .nonConsumable, .nonRenewing, .autoRenewable]
            // Of what is bought: consumables, non-consumables, season passes, subscriptions.
            let kind = kinds[random.weighted([33, 14, 8, 45])]
            let product = random.pick(customer.app.products.filter { $0.kind == kind })
            // Those who buy much buy it week by week.
            let isHeavy = count > 12
            let joinedAt = customer.joinedAt
            let quarter = joinedAt + (end.milliseconds - joinedAt.milliseconds) / 4
            let start = time(between: joinedAt, and: isHeavy ? quarter : end)
            switch kind {
            case .autoRenewable where population.receiptsStateSubscriptions:
                let most = count - customer.transactions.count
                subscribe(&customer, to: product, from: start, until: end, most: most)
            case .nonConsumable where !owned.insert(product.id).inserted:
                continue
            case .autoRenewable: continue
            case .consumable, .nonConsumable, .nonRenewing:
                purchase(product, by: &customer, at: isHeavy ? time(between: joinedAt, and: end) : start)
            }
        }
        refundSome(of: &customer, until: end)
        customer.transactions.sort { ($0.purchasedAt, $0.id) < ($1.purchasedAt, $1.id) }
    }

    private mutating func purchase(_ product: Product, by customer: inout Customer, at time: CalendarTime) {
        let id = numbers.next(at: time, sandbox: customer.isSandbox)
        var transaction = Transaction(
            id: id, originalID: id, product: product, purchasedAt: time,
            // First purchases often state an original date some seconds later.
            originallyPurchasedAt: time + (random.chance(0.3) ? random.seconds(1...5) : 0))
        if product.kind == .consumable {
            transaction.quantity = random.chance(0.05) ? Int64(random.int(2...5)) : 1
            transaction.isFinished = random.chance(0.4)
        }
        customer.transactions.append(transaction)
    }

    /// A first period, perhaps on trial or at an introductory price, and its
    /// renewals up to a time; perhaps an upgrade to a longer period on the way.
    private mutating func subscribe(
        _ customer: inout Customer, to first: Product, from start: CalendarTime, until end: CalendarTime, most: Int
    ) {
        var product = first
        var originalID: Int64?
        var original = start
        var begin = start
        let stopsAfter = most > 12 ? most : random.int(1...12)
        for period in 0..<min(most, stopsAfter) where begin <= end {
            let id = numbers.next(at: begin, sandbox: customer.isSandbox)
            if period == 0 { original = begin + random.seconds(0...3) }
            var transaction = Transaction(
                id: id, originalID: originalID ?? id, product: product, purchasedAt: begin,
                originallyPurchasedAt: original)
            originalID = originalID ?? id
            transaction.webOrderLineItemID = numbers.nextLineItem(sandbox: customer.isSandbox)
            let opening = period == 0 ? random.below(10) : 9
            transaction.isTrial = opening < 3
            transaction.isIntroductory = opening == 3
            if period > 2, random.chance(0.04) { transaction.promotionalOfferID = "winback_2" }
            var length = transaction.isTrial ? .days(7) : Int64(product.periodDays) * CalendarTime.day
            // The sandbox runs a month in five minutes.
            if customer.isSandbox { length /= 8_640 }
            transaction.expiresAt = begin + length
            let middle = begin + (length - length / 2)
            begin = begin + length
            if let longer = customer.app.upgrade(of: product), random.chance(0.02), most > period + 1, middle <= end {
                // An upgrade ends the running period at once and starts within seconds.
                (transaction.canceledAt, product, begin) = (middle, longer, middle)
            }
            customer.transactions.append(transaction)
        }
    }

    private mutating func refundSome(of customer: inout Customer, until end: CalendarTime) {
        customer.transactions = customer.transactions.map { sold in
            guard sold.canceledAt == nil, !sold.isTrial, random.chance(0.04) else { return sold }
            let refundedAt = sold.purchasedAt + random.wholeHours(1...480)
            return refundedAt <= end ? sold.with { $0.canceledAt = refundedAt.truncated } : sold
        }
    }

    /// A time of the day as people buy: whole seconds mostly, some with milliseconds
    /// since the store began to write them.
    mutating func time(between start: CalendarTime, and end: CalendarTime) -> CalendarTime {
        let span = max(0, end.milliseconds - start.milliseconds)
        let time = (start + Int64(random.below(Int(span) + 1)))
        return time > CalendarTime(2020, 9, 15) && random.chance(0.2) ? time : max(start, time.truncated)
    }
}
