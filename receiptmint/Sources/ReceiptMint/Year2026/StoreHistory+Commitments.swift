/// Year's subscriptions that are paid by the month.
extension StoreHistory {
    /// One commitment after another, as the store knows them.
    private struct Run {
        let product: Product
        let course: CommitmentCourse
        let startedAt: CalendarTime
        /// Of an instalment, in milliunits.
        let price: Int64
        /// Instalments so far.
        var instalment = 0
        var begin: CalendarTime
        var commitmentStart: CalendarTime
        /// By which failed payments moved the commitment's end.
        var delay: Int64 = 0
        var entry = "SUBSCRIBED/INITIAL_BUY"
        var hasCanceled = false
        /// Indices of the transactions, by instalment.
        var transactions: [Int] = []

        var period: Int { (instalment - 1) % 12 + 1 }
        var commitmentEnd: CalendarTime { commitmentStart + 365 * CalendarTime.day + delay }
        /// Twelve instalments are 365 days.
        var expiry: CalendarTime { commitmentStart + Int64(365 * period / 12) * CalendarTime.day + delay }
        var commitmentPrice: Int64 { price * BillingPlan.Commitment.periods }
    }

    mutating func commit(to product: Product, at start: CalendarTime, course: CommitmentCourse) {
        let dollars = product.dollars
        if course.isUpfront {
            payUpFront(product, at: start, original: nil, entry: "SUBSCRIBED/INITIAL_BUY")
            return
        }
        // A tenth more than what a year at once costs.
        var run = Run(
            product: product, course: course, startedAt: start, price: price(dollars * 11 / 120), begin: start,
            commitmentStart: start)
        while run.begin < end, let next = instalment(&run) { run.begin = next }
    }

    /// - Returns: when the next instalment is due; nothing where none is.
    private mutating func instalment(_ run: inout Run) -> CalendarTime? {
        run.instalment += 1
        if run.instalment > 1, run.period == 1 { (run.commitmentStart, run.delay) = (run.begin, 0) }
        let commitment = BillingPlan.Commitment(
            period: Int64(run.period), price: run.commitmentPrice, endsAt: run.commitmentEnd)
        var transaction = sale(
            of: run.product, at: run.begin, price: run.price, original: transactions.first?.original,
            until: run.expiry)
        (transaction.isRenewal, transaction.plan) = (run.instalment > 1, .monthly(commitment))
        let index = add(transaction)
        run.transactions.append(index)
        if run.instalment == 1 || random.chance(0.1) { present(index, at: run.begin + 20 * CalendarTime.second) }
        notify(
            run.entry, at: run.begin + CalendarTime.second, index, renewal: renewal(run),
            status: 1)
        run.entry = "DID_RENEW"
        return continuation(&run)
    }

    private mutating func continuation(_ run: inout Run) -> CalendarTime? {
        let (course, index, expiry) = (run.course, run.transactions[run.instalment - 1], run.expiry)
        let middle = (run.begin + 14 * CalendarTime.day).truncated
        if let refunds = course.refunds, refunds.during == run.instalment {
            refund(refunds.instalment, at: middle, run)
            if refunds.instalment == run.instalment { return nil }
        }
        if course.cancelsIn == run.instalment {
            run.hasCanceled = true
            notify(
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", at: middle, index, renewal: renewal(run), status: 1)
        }
        if course.paysUpFrontIn == run.instalment {
            upgrade(index, at: middle)
            payUpFront(
                run.product, at: middle, original: transactions[0].original, entry: "DID_CHANGE_RENEWAL_PREF/UPGRADE")
            return nil
        }
        if run.hasCanceled, run.period == 12 {
            notify(
                "EXPIRED/VOLUNTARY", at: expiry + 5 * CalendarTime.second, index, renewal: ended(run, intent: 1),
                status: 2)
            return nil
        }
        return course.failsAt == run.instalment + 1 ? failed(&run) : expiry
    }

    /// Without grace: access ends at once, and the store tries for 90 days.
    private mutating func failed(_ run: inout Run) -> CalendarTime? {
        let (index, expiry) = (run.transactions[run.instalment - 1], run.expiry)
        var retry = renewal(run)
        retry.isInBillingRetry = true
        retry.expirationIntent = 2
        notify("DID_FAIL_TO_RENEW", at: expiry + 10 * CalendarTime.second, index, renewal: retry, status: 3)
        guard let days = run.course.recoversAfter else {
            notify(
                "EXPIRED/BILLING_RETRY", at: expiry + 90 * CalendarTime.day, index, renewal: ended(run, intent: 2),
                status: 2)
            return nil
        }
        run.entry = "DID_RENEW/BILLING_RECOVERY"
        run.delay += Int64(days) * CalendarTime.day
        return expiry + Int64(days) * CalendarTime.day
    }

    private mutating func refund(_ instalment: Int, at time: CalendarTime, _ run: Run) {
        let index = run.transactions[instalment - 1]
        revoke(index, at: time, .full)
        let isCurrent = instalment == run.instalment
        notify(
            "REFUND", at: time + 30 * CalendarTime.second, index,
            renewal: isCurrent ? ended(run, intent: 1) : renewal(run), status: isCurrent ? 5 : 1)
    }

    private mutating func payUpFront(
        _ product: Product, at time: CalendarTime, original: StoreTransaction.Original?, entry: String
    ) {
        var transaction = sale(of: product, at: time, original: original, until: time + 365 * CalendarTime.day)
        transaction.plan = .upfront
        let index = add(transaction)
        var renewal = RenewalClaims(of: transactions[index], to: product, price: price(product.dollars))
        renewal.plan = PlanRenewal(plan: .upfront)
        present(index, at: time + 20 * CalendarTime.second)
        notify(entry, at: time + CalendarTime.second, index, renewal: renewal, status: 1)
    }

    /// The status of the renewal stays on until the commitment ends: it is that of the next instalment.
    private func renewal(_ run: Run) -> RenewalClaims {
        let transaction = run.transactions[run.instalment - 1]
        var renewal = RenewalClaims(of: transactions[transaction], to: run.product, price: run.price)
        renewal.startedAt = run.startedAt
        let plan = BillingPlan.monthly(.init(period: 1, price: run.commitmentPrice, endsAt: run.commitmentEnd))
        renewal.plan = PlanRenewal(
            plan: plan,
            commitment: .init(
                willRenew: !run.hasCanceled, product: run.product, renewsAt: run.commitmentEnd,
                price: run.commitmentPrice))
        return renewal
    }

    private func ended(_ run: Run, intent: Int64) -> RenewalClaims {
        var ended = renewal(run).ended(intent)
        ended.plan?.commitment = nil
        return ended
    }
}
