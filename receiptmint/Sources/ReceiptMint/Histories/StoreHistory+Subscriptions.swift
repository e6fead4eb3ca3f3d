/// Subscriptions from the first period to the last.
extension StoreHistory {
    /// A subscription as the store knows it, with its last period.
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
        /// Of the period's transaction.
        var index = 0
        var middle, end: CalendarTime
    }

    /// How a period ends.
    private enum Outcome: Int {
        case renewed, canceled, billingFailed, upgraded, priceIncreased
    }

    mutating func subscribe(to first: Product, at start: CalendarTime, periods: Int) {
        var run = Run(
            product: first, dollars: population.dollars(of: first, at: start), startedAt: start,
            offer: openingOffer(first), entry: "SUBSCRIBED/INITIAL_BUY", middle: start, end: start)
        var begin = start
        for _ in 0..<periods where begin <= StoreCustomer.lastSigning {
            period(&run, at: begin)
            guard let next = continuation(&run) else { return }
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
    private mutating func period(_ run: inout Run, at begin: CalendarTime) {
        let isTrial = run.offer?.discount == .freeTrial
        let days = isTrial && run.offer?.type == 1 ? 7 : run.product.periodDays
        let dollars =
            switch run.offer?.discount {
            case .freeTrial: Int64(0)
            case .payAsYouGo: run.dollars / 2
            case .payUpFront: run.dollars * 7 / 10
            case nil: run.dollars
            }
        (run.middle, run.end) = ((begin + .days(days) / 2).truncated, begin + .days(days))
        let transaction = sale(
            of: run.product, at: begin, price: price(dollars), original: run.original, until: run.end)
        run.original = transaction.original
        run.index = add(
            transaction.with {
                ($0.recoveredAt, $0.offer, $0.isRenewal) = (run.recoveredAt, run.offer, run.isRenewal)
            })
        let renewal = renewal(run)
        let paidAt = run.recoveredAt ?? begin
        if random.chance(run.isRenewal ? 0.2 : 0.8) {
            present(run.index, at: paidAt + random.seconds(1...60), renewal: renewal)
        }
        if random.chance(0.9) || run.recoveredAt != nil {
            notify(run.entry, at: paidAt + .seconds(1), run.index, renewal: renewal)
        }
        share(run.index, at: paidAt)
        (run.recoveredAt, run.offer, run.isRenewal, run.entry) = (nil, nil, true, "DID_RENEW")
    }

    private func renewal(_ run: Run) -> RenewalClaims {
        RenewalClaims(of: transactions[run.index], to: run.product, price: price(run.dollars))
            .with { $0.startedAt = run.startedAt }
    }

    /// - Returns: when the next period begins; nothing where none does.
    private mutating func continuation(_ run: inout Run) -> CalendarTime? {
        let isFree = transactions[run.index].price == 0
        if !isFree, random.chance(0.04), refund(run.index, at: run.middle, renewal: renewal(run)) { return nil }
        if let priceRise = population.priceRise, priceRise.product == run.product.id, run.end >= priceRise.at,
            run.dollars < priceRise.dollars
        {
            run.dollars = priceRise.dollars
            return priceIncreased(run, acceptance: priceRise.acceptance)
        }
        let outcomes = population.triesFirst && isFree ? [52, 40, 6, 1, 1] : [78, 9, 7, 3, 3]
        switch Outcome(rawValue: random.weighted(outcomes)) ?? .renewed {
        case .renewed:
            if random.chance(0.02) {
                run.offer = .init(type: 2, id: "loyal_20", discount: .payAsYouGo, period: run.product.period)
            }
            return run.end
        case .canceled: return canceled(&run)
        case .billingFailed: return billingFailed(&run)
        case .upgraded: return upgraded(&run)
        case .priceIncreased:
            run.dollars = run.dollars * 5 / 4
            return priceIncreased(run, acceptance: 0.75)
        }
    }

    /// Renewal is turned off; some turn it on again or come back later, won by an offer or not.
    private mutating func canceled(_ run: inout Run) -> CalendarTime? {
        let (on, change) = (renewal(run), "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_")
        var off = on.ended(1)
        notify(change + "DISABLED", at: run.middle, run.index, renewal: off)
        if random.chance(0.15) {
            notify(change + "ENABLED", at: run.middle + .hours(1), run.index, renewal: on)
            return run.end
        }
        off.winBackOffers = ["comeback_50"]
        notify("EXPIRED/VOLUNTARY", at: run.end + .seconds(5), run.index, renewal: off, status: 2)
        guard random.chance(0.35) else { return nil }
        let back = (run.end + hours(100...2_500)).truncated
        (run.startedAt, run.isRenewal, run.entry) = (back, false, "SUBSCRIBED/RESUBSCRIBE")
        if random.chance(0.5) {
            run.offer = .init(type: 4, id: "comeback_50", discount: .payAsYouGo, period: run.product.period)
        }
        return back
    }

    /// With grace or without; the customer pays in the end or doesn't.
    private mutating func billingFailed(_ run: inout Run) -> CalendarTime? {
        let hasGrace = random.chance(0.6)
        let graceEnd = run.end + .days(16)
        let graced = renewal(run).retried.with { $0.graceEndsAt = hasGrace ? graceEnd : nil }
        notify(
            hasGrace ? "DID_FAIL_TO_RENEW/GRACE_PERIOD" : "DID_FAIL_TO_RENEW", at: run.end + .seconds(10),
            run.index, renewal: graced, status: hasGrace ? 4 : 3)
        if random.chance(0.5) {
            run.entry = "DID_RENEW/BILLING_RECOVERY"
            // Beside the store's reports, the period that is paid late begins where the last one ended, as the
            // store has it; else when it is paid.
            guard hasGrace, parameters.writesStoreReports else { return (run.end + hours(24...360)).truncated }
            // Before the middle of the next period, when its other events are.
            let latest = run.product.periodDays == 7 ? 60 : 288
            run.recoveredAt = (run.end + hours(24...latest)).truncated
            return run.end
        }
        if hasGrace {
            notify("GRACE_PERIOD_EXPIRED", at: graceEnd + .seconds(1), run.index, renewal: graced, status: 3)
        }
        notify("EXPIRED/BILLING_RETRY", at: run.end + .days(60), run.index, renewal: renewal(run).ended(2), status: 2)
        return nil
    }

    /// The longer period begins at once; the one that ran is marked.
    private mutating func upgraded(_ run: inout Run) -> CalendarTime? {
        guard let longer = customer.app.upgrade(of: run.product) else { return run.end }
        let time = run.middle
        transactions[run.index].upgradedAt = time
        if random.chance(0.5) { present(run.index, at: time + .seconds(30)) }
        (run.product, run.dollars) = (longer, population.dollars(of: longer, at: time))
        (run.isRenewal, run.entry) = (false, "DID_CHANGE_RENEWAL_PREF/UPGRADE")
        return time
    }

    private mutating func priceIncreased(_ run: Run, acceptance: Double) -> CalendarTime? {
        var pending = renewal(run)
        pending.priceIncreaseStatus = 0
        notify("PRICE_INCREASE/PENDING", at: run.middle, run.index, renewal: pending)
        if random.chance(acceptance) {
            pending.priceIncreaseStatus = 1
            notify("PRICE_INCREASE/ACCEPTED", at: run.middle + .hours(6), run.index, renewal: pending)
            return run.end
        }
        notify("EXPIRED/PRICE_INCREASE", at: run.end + .seconds(5), run.index, renewal: pending.ended(3), status: 2)
        return nil
    }
}
