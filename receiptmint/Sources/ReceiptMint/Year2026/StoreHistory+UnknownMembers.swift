extension StoreHistory {
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
}
