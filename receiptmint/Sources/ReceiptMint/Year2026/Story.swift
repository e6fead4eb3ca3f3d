/// Lines that belong together, and what is true of them when the archive ends.
struct Story: Sendable {
    let feature: Feature2026
    var lines: [SignedSubmission] = []
    var truth = Truth2026()
}

extension Truth2026 {
    /// Adds another story's or chunk's truth.
    mutating func add(_ other: Truth2026) {
        lines.merge(other.lines, uniquingKeysWith: +)
        money.merge(other.money) { $0.adding($1) }
        subscriptions += other.subscriptions
        entitled += other.entitled
        commitments.add(other.commitments)
        seats.add(other.seats)
        commerce.add(other.commerce)
        externalPurchases.tokens += other.externalPurchases.tokens
        externalPurchases.unreported += other.externalPurchases.unreported
        externalPurchases.expired += other.externalPurchases.expired
        unclaimedSeats += other.unclaimedSeats
        realtimeRequests += other.realtimeRequests
        summaries.requests += other.summaries.requests
        summaries.succeeded += other.summaries.succeeded
        summaries.failed += other.summaries.failed
        appTransactions.withStoreType += other.appTransactions.withStoreType
        appTransactions.withPreorderDate += other.appTransactions.withPreorderDate
        appTransactions.withRevocationDate += other.appTransactions.withRevocationDate
        unknownMembers.merge(other.unknownMembers, uniquingKeysWith: +)
    }
}

extension Truth2026.Money {
    fileprivate func adding(_ other: Self) -> Self {
        var sum = self
        sum.gross += other.gross
        sum.refunded += other.refunded
        sum.refundedByEstimate += other.refundedByEstimate
        sum.recurring += other.recurring
        sum.contracted += other.contracted
        return sum
    }
}

extension Truth2026.Commitments {
    fileprivate mutating func add(_ other: Self) {
        running += other.running
        leaving += other.leaving
        renewed += other.renewed
        retrying += other.retrying
        ended += other.ended
        upfront += other.upfront
    }
}

extension Truth2026.Seats {
    fileprivate mutating func add(_ other: Self) {
        subscriptions += other.subscriptions
        seats += other.seats
        additions += other.additions
        revoked += other.revoked
        members += other.members
    }
}

extension Truth2026.Commerce {
    fileprivate mutating func add(_ other: Self) {
        transactions += other.transactions
        items += other.items
        revokedItems += other.revokedItems
        refunds += other.refunds
        migrated += other.migrated
    }
}
