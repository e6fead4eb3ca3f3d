/// Sales by the Advanced Commerce API.
extension StoreHistory {
    /// Prices in thousandths of a dollar.
    private static let catalog: [(sku: String, name: String, dollars: Int64)] = [
        ("maps.alps", "Maps of the Alps", 10_000), ("maps.dolomites", "Maps of the Dolomites", 5_000),
        ("weather", "Weather", 3_000),
    ]

    mutating func sale(period: String?) -> CommerceSale {
        CommerceSale(
            requestID: random.uuid(),
            items: Self.catalog.map { .init(sku: $0.sku, name: $0.name, price: price($0.dollars)) }, period: period)
    }

    mutating func sellCatalog(at start: CalendarTime, course: CommerceCourse) {
        let app = customer.app
        if course == .chargedOnce { return sellOnce(app.product("catalog.once"), at: start) }
        let product = app.product("catalog.monthly")
        var (begin, previous) = (start, Int64?.none)
        if course == .migrated {
            previous = subscribeFirst(app.product("pro.monthly"), at: start)
            begin = start + .days(product.periodDays)
        }
        var sold: [Int] = []
        let sale = sale(period: "P1M")
        while begin < end {
            let next = begin + .days(product.periodDays)
            var transaction = self.sale(
                of: product, at: begin, price: sale.price, original: sold.first.map { transactions[$0].original },
                until: next)
            (transaction.isRenewal, transaction.commerce) = (!sold.isEmpty, sale)
            transaction.previousOriginalID = previous
            let entry = sold.isEmpty ? previous == nil ? "SUBSCRIBED/INITIAL_BUY" : "MIGRATION" : "DID_RENEW"
            let renewal = commerceRenewal(transaction)
            sold.append(self.begin(transaction, entry, renewal: renewal, isPresented: sold.isEmpty))
            begin = next
        }
        guard let last = sold.last else { return }
        refundItems(of: last, at: (transactions[last].purchasedAt + .days(11)).truncated, course: course)
    }

    /// - Returns: the original transaction of an ordinary subscription's only period.
    mutating func subscribeFirst(_ product: Product, at start: CalendarTime) -> Int64 {
        let transaction = sale(of: product, at: start, until: start + .days(product.periodDays))
        let renewal = RenewalClaims(of: transaction, to: product, price: price(product.dollars))
        begin(transaction, "SUBSCRIBED/INITIAL_BUY", renewal: renewal)
        return transaction.id
    }

    private mutating func sellOnce(_ product: Product, at start: CalendarTime) {
        let catalog = sale(period: nil)
        let transaction = sale(of: product, at: start, price: catalog.price).with { $0.commerce = catalog }
        let index = begin(transaction, "ONE_TIME_CHARGE")
        refundItems(of: index, at: (start + .days(11)).truncated, course: .chargedOnce)
    }

    /// A consumable whose documents state what nobody knows yet.
    mutating func buyStating(_ member: UnknownMember, at time: CalendarTime) {
        var transaction = sale(of: customer.app.product("coins.100"), at: time)
        transaction.unknownMembers = [member]
        if member.object == .item {
            transaction.product = customer.app.product("catalog.once")
            let sale = sale(period: nil)
            (transaction.price, transaction.commerce) = (sale.price, sale)
        }
        if member.object == .transaction, member.key == "price" { transaction.price = nil }
        begin(transaction, member.key == "notificationType" ? "SHELF_CHANGE" : "ONE_TIME_CHARGE")
    }

    private func commerceRenewal(_ sold: StoreTransaction) -> RenewalClaims {
        RenewalClaims(of: sold, to: sold.product, price: sold.price ?? 0).with { $0.commerce = sold.commerce }
    }

    /// Twice in part where money is given back for a change of items.
    private mutating func refundItems(of index: Int, at time: CalendarTime, course: CommerceCourse) {
        guard var sale = transactions[index].commerce else { return }
        func refund(
            _ item: Int, share: Int64, _ kind: CommerceSale.Refund.Kind, _ reason: String, after days: Int64 = 0
        ) {
            let amount = sale.items[item].price * share / 100
            sale.items[item].refunds.append(.init(at: time + .days(days), amount: amount, kind: kind, reason: reason))
        }
        switch course {
        case .settled, .migrated: return
        case .partlyRefunded: refund(1, share: 50, .prorated, "UNSATISFIED_WITH_PURCHASE")
        case .itemRevoked:
            refund(1, share: 100, .full, "FULFILLMENT_ISSUE")
            sale.items[1].revokedAt = time
        case .chargedOnce: refund(2, share: 100, .full, "UNINTENDED_PURCHASE")
        case .itemsModified:
            refund(0, share: 20, .custom, "MODIFY_ITEMS_REFUND")
            refund(0, share: 10, .custom, "OTHER", after: 2)
        case .allRevoked:
            for item in sale.items.indices {
                refund(item, share: 100, .full, "LEGAL")
                sale.items[item].revokedAt = time
            }
        }
        transactions[index].commerce = sale
        let refundedAt = sale.items.flatMap(\.refunds).map(\.at).max() ?? time
        guard transactions[index].isSubscription else {
            return notify("REFUND", at: refundedAt + .seconds(30), index)
        }
        var renewal = commerceRenewal(transactions[index])
        if course == .allRevoked { renewal = renewal.ended(1).with { $0.commerce = nil } }
        notify("REFUND", at: refundedAt + .seconds(30), index, renewal: renewal, status: course == .allRevoked ? 5 : 1)
    }
}
