extension StoreHistory {
    /// A consumable whose documents state what nobody knows yet.
    mutating func buyStating(_ member: UnknownMember, in app: App, at time: CalendarTime) {
        let product = app.product("coins.100")
        let id = numbers.next(at: time, sandbox: false)
        var transaction = StoreTransaction(
            id: id, originalID: id, customer: customer, product: product, purchasedAt: time,
            originallyPurchasedAt: time, price: price(product.dollars), unknownMembers: [member])
        if member.object == .item {
            transaction.product = app.product("catalog.once")
            let sale = sale(period: nil)
            (transaction.price, transaction.commerce) = (sale.price, sale)
        }
        if member.object == .transaction, member.key == "price" { transaction.price = nil }
        let index = add(transaction)
        present(index, at: time + 20 * CalendarTime.second)
        notify(
            member.key == "notificationType" ? "SHELF_CHANGE" : "ONE_TIME_CHARGE", at: time + 2 * CalendarTime.second,
            index)
    }
}
