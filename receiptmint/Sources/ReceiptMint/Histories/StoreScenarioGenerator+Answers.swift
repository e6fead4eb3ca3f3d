/// Answers of the store's server interface, as an app's server logged them.
extension StoreScenarioGenerator {
    /// The longest page of transactions that the store sends.
    private static var page: Int { 20 }

    mutating func answers(about history: StoreHistory, notifications: [SignedSubmission]) throws -> [SignedSubmission] {
        guard let last = history.observed.last else { return [] }
        let asked = min(last.at + random.days(1...30), StoreCustomer.lastSigning)
        let at = asked.truncated + Int64(random.below(1_000))
        let sold = history.sold(before: at)
        var lines: [SignedSubmission] = []
        if !sold.isEmpty, random.chance(0.1) {
            lines.append(try page(of: sold.suffix(Self.page), to: history.customer, at: at))
        }
        if random.chance(0.06) { lines += try statuses(of: history, at: at) }
        if !notifications.isEmpty, random.chance(0.08) {
            // A notification that was sent more than once stands in the answer as often.
            let sent = notifications.filter { $0.at < at }.suffix(5).map { $0.documents[0] }
            if !sent.isEmpty { lines.append(answer(.notificationHistory, sent, to: history.customer, at: at)) }
        }
        return lines
    }

    /// All purchases of a customer, as the app's server asked for them after the last event.
    mutating func pages(of history: StoreHistory) throws -> [SignedSubmission] {
        guard let last = history.observed.last else { return [] }
        let at = min(last.at + .hours(1), StoreCustomer.lastSigning)
        let sold = history.sold(before: at)
        var lines: [SignedSubmission] = []
        for first in stride(from: 0, to: sold.count, by: Self.page) {
            lines.append(try page(of: sold[first...].prefix(Self.page), to: history.customer, at: at))
        }
        return lines + (try statuses(of: history, at: at))
    }

    private mutating func page(
        of sold: ArraySlice<StoreTransaction>, to customer: StoreCustomer, at time: CalendarTime
    ) throws -> SignedSubmission {
        answer(.history, try sold.map { try transaction($0, at: time) }, to: customer, at: time)
    }

    private mutating func answer(
        _ layout: SignedSubmission.Layout, _ documents: [SignedString], to customer: StoreCustomer,
        at time: CalendarTime
    ) -> SignedSubmission {
        let account = layout != .notificationHistory && random.chance(0.6) ? customer.accountID : nil
        let at = (time + .seconds(1)).truncated
        return SignedSubmission(
            documents: documents, layout: layout, presenter: Presenter(accountID: account), at: at)
    }

    /// Each subscription's last transaction and what was last known of its renewal.
    private mutating func statuses(of history: StoreHistory, at time: CalendarTime) throws -> [SignedSubmission] {
        var documents: [SignedString] = []
        var seen: Set<Int64> = []
        for event in history.observed.reversed() where event.at < time {
            guard let renewal = event.renewal, seen.insert(renewal.originalID).inserted else { continue }
            documents.append(try transaction(history.transactions[event.transaction], at: time))
            documents.append(try sign(renewal.with { $0.signedAt = time }))
        }
        return documents.isEmpty ? [] : [answer(.statuses, documents, to: history.customer, at: time)]
    }
}
