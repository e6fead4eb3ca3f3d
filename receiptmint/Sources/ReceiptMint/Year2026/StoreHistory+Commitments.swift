/// Year's subscriptions that are paid by the month.
extension StoreHistory {
    /// One commitment after another, as the store knows them.
    private struct Run {
        let product: Product
        let course: CommitmentCourse
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

        /// Of the last instalment: the history has no other transactions.
        var index: Int { instalment - 1 }
        var period: Int { (instalment - 1) % 12 + 1 }
        var commitmentEnd: CalendarTime { commitmentStart + .days(365) + delay }
        /// Twelve instalments are 365 days.
        var expiry: CalendarTime { commitmentStart + .days(365 * period / 12) + delay }
        var commitmentPrice: Int64 { price * BillingPlan.Commitment.periods }
    }

    mutating func commit(to product: Product, at start: CalendarTime, course: CommitmentCourse) {
        if course.isUpfront { return payUpFront(product, at: start, entry: "SUBSCRIBED/INITIAL_BUY") }
        // A tenth more than what a year at once costs.
        var run = Run(
            product: product, course: course, price: price(product.dollars * 11 / 120), begin: start,
            commitmentStart: start)
        while run.begin < end, let next = instalment(&run) { run.begin = next }
    }

    /// - Returns: when the next instalment is due; nothing where none is.
    private mutating func instalment(_ run: inout Run) -> CalendarTime? {
        run.instalment += 1
        if run.instalment > 1, run.period == 1 { (run.commitmentStart, run.delay) = (run.begin, 0) }
        let commitment = BillingPlan.Commitment(
            period: Int64(run.period), price: run.commitmentPrice, endsAt: run.commitmentEnd)
        let transaction = subscription(to: run.product, at: run.begin, price: run.price, until: run.expiry)
        let index = add(transaction.with { ($0.isRenewal, $0.plan) = (run.instalment > 1, .monthly(commitment)) })
        if run.instalment == 1 || random.chance(0.1) { present(index, at: run.begin + .seconds(20)) }
        notify(run.entry, at: run.begin + .seconds(1), index, renewal: renewal(run))
        run.entry = "DID_RENEW"
        return continuation(&run)
    }

    private mutating func continuation(_ run: inout Run) -> CalendarTime? {
        let (course, index, expiry) = (run.course, run.index, run.expiry)
        let middle = (run.begin + .days(14)).truncated
        if let refunds = course.refunds, refunds.during == run.instalment {
            refund(refunds.instalment, at: middle, run)
            if refunds.instalment == run.instalment { return nil }
        }
        if course.cancelsIn == run.instalment {
            run.hasCanceled = true
            notify("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", at: middle, index, renewal: renewal(run))
        }
        if course.paysUpFrontIn == run.instalment {
            transactions[index].upgradedAt = middle
            payUpFront(run.product, at: middle, entry: "DID_CHANGE_RENEWAL_PREF/UPGRADE")
            return nil
        }
        if run.hasCanceled, run.period == 12 {
            notify("EXPIRED/VOLUNTARY", at: expiry + .seconds(5), index, renewal: ended(run, intent: 1), status: 2)
            return nil
        }
        return course.failsAt == run.instalment + 1 ? failed(&run) : expiry
    }

    /// Without grace: access ends at once, and the store tries for 90 days.
    private mutating func failed(_ run: inout Run) -> CalendarTime? {
        let (index, expiry) = (run.index, run.expiry)
        notify("DID_FAIL_TO_RENEW", at: expiry + .seconds(10), index, renewal: renewal(run).retried, status: 3)
        guard let days = run.course.recoversAfter else {
            notify("EXPIRED/BILLING_RETRY", at: expiry + .days(90), index, renewal: ended(run, intent: 2), status: 2)
            return nil
        }
        run.entry = "DID_RENEW/BILLING_RECOVERY"
        run.delay += Int64(days) * CalendarTime.day
        return expiry + .days(days)
    }

    private mutating func refund(_ instalment: Int, at time: CalendarTime, _ run: Run) {
        let index = instalment - 1
        revoke(index, at: time, .full)
        let isCurrent = instalment == run.instalment
        notify(
            "REFUND", at: time + .seconds(30), index,
            renewal: isCurrent ? ended(run, intent: 1) : renewal(run), status: isCurrent ? 5 : 1)
    }

    private mutating func payUpFront(_ product: Product, at time: CalendarTime, entry: String) {
        let transaction = subscription(to: product, at: time, until: time + .days(365)).with { $0.plan = .upfront }
        let renewal = RenewalClaims(of: transaction, to: product, price: price(product.dollars))
            .with { $0.plan = PlanRenewal(plan: .upfront) }
        begin(transaction, entry, renewal: renewal)
    }

    /// The status of the renewal stays on until the commitment ends: it is that of the next instalment.
    private func renewal(_ run: Run) -> RenewalClaims {
        let plan = PlanRenewal(
            plan: .monthly(.init(period: 1, price: run.commitmentPrice, endsAt: run.commitmentEnd)),
            commitment: .init(
                willRenew: !run.hasCanceled, product: run.product, renewsAt: run.commitmentEnd,
                price: run.commitmentPrice))
        return RenewalClaims(of: transactions[run.index], to: run.product, price: run.price).with { $0.plan = plan }
    }

    private func ended(_ run: Run, intent: Int64) -> RenewalClaims {
        renewal(run).ended(intent).with { $0.plan?.commitment = nil }
    }
}
