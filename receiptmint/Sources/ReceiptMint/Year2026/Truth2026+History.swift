extension Truth2026 {
    /// What a history comes to when the archive ends. Each of its events is in the archive.
    mutating func count(_ history: StoreHistory) {
        let bought = history.transactions.filter { $0.purchasedAt < history.end }
        for transaction in bought where transaction.ownership == .purchased {
            count(moneyOf: transaction, at: history.end)
        }
        let running = bought.filter { $0.isRunning(at: history.end) }
        entitled += Set(running.map(\.customer.appTransactionID)).count
        let own = running.filter { $0.ownership == .purchased }
        guard !own.isEmpty else { return }
        subscriptions += 1
        money[history.customer.storefront.currency, default: Money()].recurring += monthly(own, of: history)
    }

    private mutating func count(moneyOf transaction: StoreTransaction, at time: CalendarTime) {
        let currency = transaction.customer.storefront.currency
        let claims = TransactionClaims(transaction: transaction, signedAt: time)
        money[currency, default: Money()].gross += transaction.amount ?? 0
        money[currency]?.refunded += claims.refunded
        if claims.revocation == nil { money[currency]?.refundedByEstimate += claims.seatsRefunded }
        if let sale = transaction.commerce {
            commerce.transactions += 1
            commerce.items += sale.items.count
            commerce.revokedItems += sale.items.count { $0.revokedAt != nil }
            commerce.refunds += sale.items.reduce(0) { $0 + $1.refunds.count }
            if transaction.previousOriginalID != nil { commerce.migrated += 1 }
        }
    }

    /// A month's worth of the transactions of the period that runs.
    private func monthly(_ running: [StoreTransaction], of history: StoreHistory) -> Int64 {
        // Seats were added: the next renewal's price is that of all seats for a whole period.
        let tiers = running.count > 1 ? history.observed.compactMap { $0.renewal?.seatTiers }.last : nil
        return tiers?.amount ?? running.reduce(0) { $0 + $1.monthly }
    }

    /// What became of a year's subscription.
    mutating func count(commitment history: StoreHistory) {
        let end = history.end
        guard let last = history.transactions.last else { return }
        guard let commitment = last.plan?.commitment else {
            commitments.upfront += 1
            return
        }
        guard last.isRunning(at: end) else {
            let isRetrying = history.observed.last?.renewal?.isInBillingRetry ?? false
            if isRetrying { commitments.retrying += 1 } else { commitments.ended += 1 }
            return
        }
        commitments.running += 1
        if history.observed.last(where: { $0.renewal != nil })?.renewal?.plan?.commitment?.willRenew == false {
            commitments.leaving += 1
        }
        if history.transactions.contains(where: { $0.plan?.commitment?.period == BillingPlan.Commitment.periods }) {
            commitments.renewed += 1
        }
        money[last.customer.storefront.currency, default: Money()].contracted +=
            commitment.remaining * (last.price ?? 0)
    }

    mutating func count(seats history: StoreHistory) {
        let running = history.transactions.filter { $0.isRunning(at: history.end) }
        let own = running.filter { $0.ownership == .purchased }
        if !own.isEmpty { seats.subscriptions += 1 }
        seats.seats += own.reduce(0) { $0 + Int(($1.seats?.seats ?? 0) - ($1.seats?.revokedSeats ?? 0)) }
        seats.members += running.count { $0.ownership == .assigned }
        for transaction in history.transactions where transaction.ownership == .purchased {
            seats.revoked += Int(transaction.seats?.revokedSeats ?? 0)
            if transaction.seatsAddedAt == transaction.purchasedAt { seats.additions += 1 }
        }
    }

    /// Distinct documents that state what isn't known.
    mutating func count(unknownIn lines: [SignedSubmission]) {
        var seen: Set<String> = []
        let documents = lines.flatMap(\.documents)
        for document in documents + documents.flatMap({ $0.parts.map(\.document) })
        where seen.insert(document.sha256).inserted {
            let kind = document.kind
            for member in document.claims.unknown {
                unknownMembers[kind + " " + member.path + " " + member.valueType, default: 0] += 1
            }
        }
    }
}
