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

    mutating func sellCatalog(in app: App, at start: CalendarTime, course: CommerceCourse) {
        if course == .chargedOnce { return sellOnce(app.product("catalog.once"), at: start) }
        let product = app.product("catalog.monthly")
        var (begin, previous) = (start, Int64?.none)
        if course == .migrated {
            previous = subscribeFirst(app.product("pro.monthly"), at: start)
            begin = start + Int64(product.periodDays) * CalendarTime.day
        }
        var sold: [Int] = []
        let sale = sale(period: "P1M")
        while begin < end {
            let next = begin + Int64(product.periodDays) * CalendarTime.day
            var transaction = self.sale(
                of: product, at: begin, price: sale.price, original: sold.first.map { transactions[$0].original },
                until: next)
            (transaction.isRenewal, transaction.commerce) = (!sold.isEmpty, sale)
            transaction.previousOriginalID = previous
            let index = add(transaction)
            let entry = sold.isEmpty ? previous == nil ? "SUBSCRIBED/INITIAL_BUY" : "MIGRATION" : "DID_RENEW"
            if sold.isEmpty { present(index, at: begin + 20 * CalendarTime.second) }
            notify(
                entry, at: begin + CalendarTime.second, index, renewal: commerceRenewal(index), status: 1)
            sold.append(index)
            begin = next
        }
        guard let last = sold.last else { return }
        refundItems(of: last, at: (transactions[last].purchasedAt + 11 * CalendarTime.day).truncated, course: course)
    }

    /// - Returns: the original transaction of an ordinary subscription's only period.
    mutating func subscribeFirst(_ product: Product, at start: CalendarTime) -> Int64 {
        let index = add(sale(of: product, at: start, until: start + Int64(product.periodDays) * CalendarTime.day))
        present(index, at: start + 20 * CalendarTime.second)
        notify(
            "SUBSCRIBED/INITIAL_BUY", at: start + CalendarTime.second, index,
            renewal: RenewalClaims(of: transactions[index], to: product, price: price(product.dollars)), status: 1)
        return transactions[index].id
    }

    private mutating func sellOnce(_ product: Product, at start: CalendarTime) {
        let catalog = sale(period: nil)
        var transaction = sale(of: product, at: start, price: catalog.price)
        transaction.commerce = catalog
        let index = add(transaction)
        present(index, at: start + 20 * CalendarTime.second)
        notify("ONE_TIME_CHARGE", at: start + 2 * CalendarTime.second, index)
        refundItems(of: index, at: (start + 11 * CalendarTime.day).truncated, course: .chargedOnce)
    }

    private func commerceRenewal(_ index: Int) -> RenewalClaims {
        let sold = transactions[index]
        var renewal = RenewalClaims(of: transactions[index], to: sold.product, price: sold.price ?? 0)
        renewal.commerce = sold.commerce
        return renewal
    }

    /// Twice in part where money is given back for a change of items.
    private mutating func refundItems(of index: Int, at time: CalendarTime, course: CommerceCourse) {
        guard var sale = transactions[index].commerce else { return }
        func refund(
            _ item: Int, share: Int64, _ kind: CommerceSale.Refund.Kind, _ reason: String, after days: Int64 = 0
        ) {
            let amount = sale.items[item].price * share / 100
            sale.items[item].refunds.append(
                .init(at: time + days * CalendarTime.day, amount: amount, kind: kind, reason: reason))
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
        replaceSale(of: index, by: sale)
        let refundedAt = sale.items.flatMap(\.refunds).map(\.at).max() ?? time
        guard transactions[index].isSubscription else {
            return notify("REFUND", at: refundedAt + 30 * CalendarTime.second, index)
        }
        var renewal = commerceRenewal(index)
        if course == .allRevoked { (renewal.willRenew, renewal.expirationIntent, renewal.commerce) = (false, 1, nil) }
        notify(
            "REFUND", at: refundedAt + 30 * CalendarTime.second, index, renewal: renewal,
            status: course == .allRevoked ? 5 : 1)
    }
}
