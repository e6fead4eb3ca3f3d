/// A sale as the archive's trusted documents state it in the end.
struct OwnSale: Sendable {
    let ware: StoreWare
    let transaction: StoreTransaction
    let standing: Standing
    /// For the quantity, in milliunits; 0 of members' shares.
    let price: Int64
    /// Whether the archive shows the day of the payment, if it was later than the period's beginning: a notification of
    /// it is the first document that states the sale.
    var isRecoveryTold = false
    /// What the documents say was given back, and when.
    let refund: (at: CalendarTime, milliunits: Int64)?
    /// Behind a year of paid service.
    var isSecondYear = false
    /// When the period was over: at its expiry, or by a refund or an upgrade before.
    let endedAt: CalendarTime?

    enum Standing { case own, shared, tester }

    var unitPrice: Int64 { price / transaction.quantity }
    var soldAt: CalendarTime { transaction.purchasedAt }

    /// The period in which the store counts the sale as an active subscription, with the day on which it ends, by its
    /// expiry, a refund or an upgrade; nil of what is no subscription, or is neither paid for nor tried by a customer
    /// of the store.
    var activePeriod: (sale: ReportedSale, until: StoreDay)? {
        guard standing == .own, ware.isSubscription, let endedAt else { return nil }
        let from = StoreDay(pacific: transaction.recoveredAt ?? soldAt)
        return (ReportedSale(self, on: from, units: 1, price: unitPrice), StoreDay(pacific: endedAt))
    }

    /// Those of a chunk that the store's reports are about.
    static func all(of minted: SignedChunk) -> [OwnSale] {
        let recoveries = minted.notifications.filter { $0.claims.name == "DID_RENEW/BILLING_RECOVERY" }
        let documents = recoveries.flatMap(\.claims.parts).map(\.document).filter(\.isTrusted)
        let told = Set(documents.compactMap { ($0.claims as? TransactionClaims)?.transaction.id })
        var sales = minted.purchases.compactMap { purchase in
            var sale = OwnSale(purchase)
            if let recoveredAt = sale?.transaction.recoveredAt, told.contains(purchase.newest.transaction.id) {
                let statedAt = purchase.states[0].claims.signedAt
                sale?.isRecoveryTold = StoreDay(pacific: statedAt) == StoreDay(pacific: recoveredAt)
            }
            return sale
        }
        countYears(&sales)
        return sales
    }

    private init?(_ purchase: SignedChunk.LatestPurchase) {
        let newest = purchase.newest
        let transaction = newest.transaction
        guard let ware = StoreWare(transaction) else { return nil }
        let isTester = transaction.customer.isSandbox
        standing = isTester ? .tester : transaction.ownership == .purchased ? .own : .shared
        guard let price = purchase.stated(\.price) ?? (standing == .shared ? 0 : nil) else { return nil }
        (self.ware, self.transaction, self.price) = (ware, transaction, price)
        let revocation = newest.revocation
        refund = standing == .own && price > 0 ? revocation.map { (at: $0.at, milliunits: newest.refunded) } : nil
        let upgradedAt = newest.isUpgraded ? transaction.upgradedAt : nil
        endedAt = [transaction.expiresAt, revocation?.at, upgradedAt].compactMap(\.self).min()
    }

    /// Adds up the days of paid service of each subscription, anew after a gap of more than sixty days.
    private static func countYears(_ sales: inout [OwnSale]) {
        let periods = sales.indices.filter { sales[$0].ware.isSubscription && sales[$0].standing == .own }
        let bySubscription = Dictionary(grouping: periods) { sales[$0].transaction.originalID }
        for indices in bySubscription.values {
            var paid: Int64 = 0
            var end: CalendarTime?
            for index in indices.sorted(by: { sales[$0].soldAt < sales[$1].soldAt }) {
                let sale = sales[index]
                if let end, sale.soldAt.milliseconds - end.milliseconds > .days(60) { paid = 0 }
                sales[index].isSecondYear = paid >= .days(365)
                guard sale.price > 0, let ended = sale.endedAt else { continue }
                paid += ended.milliseconds - sale.soldAt.milliseconds
                end = ended
            }
        }
    }
}
