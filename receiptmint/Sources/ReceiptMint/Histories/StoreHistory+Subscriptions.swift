/// Subscriptions from the first period to the last.
extension StoreHistory {
    private struct Run {
        var product: Product
        /// Of a period, in thousandths of a dollar.
        var dollars: Int64
        var original: StoreTransaction.Original?
        var startedAt: CalendarTime
        var offer: StoreTransaction.Offer?
        var entry: String
        var isRenewal = false
        /// Of a period that begins before it is paid.
        var recoveredAt: CalendarTime?
    }

    /// How a period ends.
    private enum Outcome: Int {
        case renewed, canceled, billingFailed, upgraded, priceIncreased
    }

    mutating func subscribe(to first: Product, at start: CalendarTime, periods: Int) {
        var run = Run(
            product: first, dollars: population.dollars(of: first, at: start), startedAt: start,
            offer: openingOffer(first),
            entry: "SUBSCRIBED/INITIAL_BUY")
        var begin = start
        for _ in 0..<periods where begin <= StoreCustomer.lastSigning {
            let index = period(&run, at: begin)
            guard let next = continuation(of: index, &run) else { return }
            begin = next
        }
    }

    private mutating func openingOffer(_ product: Product) -> StoreTransaction.Offer? {
        switch random.weighted(population.triesFirst ? [60, 4, 2, 2, 32] : [25, 8, 4, 4, 59]) {
        case 0: .init(type: 1, discount: .freeTrial, period: "P1W")
        case 1: .init(type: 1, discount: .payAsYouGo, period: product.period)
        case 2: .init(type: 1, discount: .payUpFront, period: product.period)
        case 3:
            .init(
                type: 3, id: random.pick(["partner_2026", "podcast"]),
                discount: random.chance(0.4) ? .freeTrial : .payAsYouGo, period: product.period)
        default: nil
        }
    }

    /// Adds a period's transaction, and the documents that state the transaction.
    private mutating func period(_ run: inout Run, at begin: CalendarTime) -> Int {
        let isTrial = run.offer?.discount == .freeTrial
        let days = isTrial && run.offer?.type == 1 ? 7 : run.product.periodDays
        let dollars =
            switch run.offer?.discount {
            case .freeTrial: Int64(0)
            case .payAsYouGo: run.dollars / 2
            case .payUpFront: run.dollars * 7 / 10
            case nil: run.dollars
            }
        let transaction = sale(
            of: run.product, at: begin, price: price(dollars), original: run.original, until: begin + .days(days))
        run.original = transaction.original
        let index = add(
            transaction.with {
                ($0.recoveredAt, $0.offer, $0.isRenewal) = (run.recoveredAt, run.offer, run.isRenewal)
            })
        let renewal = renewal(index, run)
        let paidAt = run.recoveredAt ?? begin
        if random.chance(run.isRenewal ? 0.2 : 0.8) {
            present(index, at: paidAt + random.seconds(1...60), renewal: renewal)
        }
        if random.chance(0.9) || run.recoveredAt != nil {
            notify(run.entry, at: paidAt + .seconds(1), index, renewal: renewal)
        }
        share(index, at: paidAt)
        (run.recoveredAt, run.offer, run.isRenewal, run.entry) = (nil, nil, true, "DID_RENEW")
        return index
    }

    private func renewal(_ index: Int, _ run: Run) -> RenewalClaims {
        RenewalClaims(of: transactions[index], to: run.product, price: price(run.dollars))
            .with { $0.startedAt = run.startedAt }
    }

    /// - Returns: when the next period begins; nothing where none does.
    private mutating func continuation(of index: Int, _ run: inout Run) -> CalendarTime? {
        let transaction = transactions[index]
        guard let end = transaction.expiresAt else { return nil }
        let length = end.milliseconds - transaction.purchasedAt.milliseconds
        let middle = (transaction.purchasedAt + length / 2).truncated
        if transaction.price != 0, random.chance(0.04), refund(index, at: middle, renewal: renewal(index, run)) {
            return nil
        }
        if let priceRise = population.priceRise, priceRise.product == run.product.id, end >= priceRise.at,
            run.dollars < priceRise.dollars
        {
            run.dollars = priceRise.dollars
            return priceIncreased(index, at: middle, end: end, acceptance: priceRise.acceptance, run)
        }
        let outcomes = population.triesFirst && transaction.price == 0 ? [52, 40, 6, 1, 1] : [78, 9, 7, 3, 3]
        switch Outcome(rawValue: random.weighted(outcomes)) ?? .renewed {
        case .renewed:
            if random.chance(0.02) {
                run.offer = .init(type: 2, id: "loyal_20", discount: .payAsYouGo, period: run.product.period)
            }
            return end
        case .canceled: return canceled(index, at: middle, end: end, &run)
        case .billingFailed: return billingFailed(index, end: end, &run)
        case .upgraded: return upgraded(index, at: middle, end: end, &run)
        case .priceIncreased:
            run.dollars = run.dollars * 5 / 4
            return priceIncreased(index, at: middle, end: end, acceptance: 0.75, run)
        }
    }

    /// Renewal is turned off; some turn it on again or come back later, won by an offer or not.
    private mutating func canceled(
        _ index: Int, at time: CalendarTime, end: CalendarTime, _ run: inout Run
    ) -> CalendarTime? {
        var off = renewal(index, run).ended(1)
        notify("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", at: time, index, renewal: off)
        if random.chance(0.15) {
            notify(
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", at: time + .hours(1), index,
                renewal: renewal(index, run))
            return end
        }
        off.winBackOffers = ["comeback_50"]
        notify("EXPIRED/VOLUNTARY", at: end + .seconds(5), index, renewal: off, status: 2)
        guard random.chance(0.35) else { return nil }
        let back = (end + hours(100...2_500)).truncated
        (run.startedAt, run.isRenewal, run.entry) = (back, false, "SUBSCRIBED/RESUBSCRIBE")
        if random.chance(0.5) {
            run.offer = .init(type: 4, id: "comeback_50", discount: .payAsYouGo, period: run.product.period)
        }
        return back
    }

    /// With grace or without; the customer pays in the end or doesn't.
    private mutating func billingFailed(_ index: Int, end: CalendarTime, _ run: inout Run) -> CalendarTime? {
        let hasGrace = random.chance(0.6)
        let graceEnd = end + .days(16)
        let graced = renewal(index, run).retried.with { $0.graceEndsAt = hasGrace ? graceEnd : nil }
        notify(
            hasGrace ? "DID_FAIL_TO_RENEW/GRACE_PERIOD" : "DID_FAIL_TO_RENEW", at: end + .seconds(10),
            index, renewal: graced, status: hasGrace ? 4 : 3)
        if random.chance(0.5) {
            run.entry = "DID_RENEW/BILLING_RECOVERY"
            if hasGrace, keepsRecoveredStart {
                // Before the middle of the next period, when its other events are.
                let latest = run.product.periodDays == 7 ? 60 : 288
                run.recoveredAt = (end + hours(24...latest)).truncated
                return end
            }
            return (end + hours(24...360)).truncated
        }
        if hasGrace {
            notify("GRACE_PERIOD_EXPIRED", at: graceEnd + .seconds(1), index, renewal: graced, status: 3)
        }
        notify("EXPIRED/BILLING_RETRY", at: end + .days(60), index, renewal: renewal(index, run).ended(2), status: 2)
        return nil
    }

    /// The longer period begins at once; the one that ran is marked.
    private mutating func upgraded(
        _ index: Int, at time: CalendarTime, end: CalendarTime, _ run: inout Run
    ) -> CalendarTime? {
        let longer = customer.app.products.first {
            $0.kind == .autoRenewable && $0.periodDays > run.product.periodDays
        }
        guard let longer else { return end }
        transactions[index].upgradedAt = time
        if random.chance(0.5) { present(index, at: time + .seconds(30)) }
        (run.product, run.dollars) = (longer, population.dollars(of: longer, at: time))
        (run.isRenewal, run.entry) = (false, "DID_CHANGE_RENEWAL_PREF/UPGRADE")
        return time
    }

    private mutating func priceIncreased(
        _ index: Int, at time: CalendarTime, end: CalendarTime, acceptance: Double, _ run: Run
    ) -> CalendarTime? {
        var pending = renewal(index, run)
        pending.priceIncreaseStatus = 0
        notify("PRICE_INCREASE/PENDING", at: time, index, renewal: pending)
        if random.chance(acceptance) {
            pending.priceIncreaseStatus = 1
            notify("PRICE_INCREASE/ACCEPTED", at: time + CalendarTime.day / 4, index, renewal: pending)
            return end
        }
        notify("EXPIRED/PRICE_INCREASE", at: end + .seconds(5), index, renewal: pending.ended(3), status: 2)
        return nil
    }
}
