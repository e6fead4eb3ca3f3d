/// Decides for each sale and refund of an archive where the store's reports have it, if at all, and draws the
/// sales that only the store knows.
///
/// Planted differences of one product and country keep so far from one another that each can be told by
/// its days; a share of those that can't is planted nevertheless, and marked as mixed.
struct StoreReportPlan {
    static let months = FiscalMonth.year(2026)
    static var first: StoreDay { months[0].first }
    static var last: StoreDay { months[months.count - 1].last }

    private(set) var events: [Event] = []
    private var places: [StoreWare: [PlantedPlace]] = [:]
    private var random: SeededRandom
    private let shares: [StoreClass: Double]

    /// A sale or refund, on one side or both.
    struct Event {
        var ware: StoreWare
        var sale: OwnSale?
        var isRefund = false
        /// Both sides have as many, below zero for refunds.
        var units: Int64
        var own: Own?
        var store: ReportedSale?
        /// Why the sides differ, but for the days of their clocks.
        var reason: StoreClass?
        var isMixed = false

        struct Own {
            var day, utcDay: StoreDay
            var price, gross: Int64
        }

        /// The days on which the event is on either side.
        var days: [StoreDay] { [own?.day, store?.day].compactMap(\.self) }
    }

    /// What the reports count.
    var reported: [ReportedSale] {
        events.compactMap(\.store).filter { Self.covers($0.day) || $0.isSettled }
    }

    init(_ sales: [OwnSale], _ parameters: MintParameters) {
        shares = parameters.storeShares
        random = parameters.random("store reports")
        for sale in sales { add(sale) }
        plantGiven()
        plantRefunds()
        plantSales()
        plantSilent()
        report()
    }

    private func share(_ reason: StoreClass) -> Double { shares[reason] ?? 0 }
    static func covers(_ day: StoreDay) -> Bool { (first...last).contains(day) }

    // MARK: What the archive has

    private mutating func add(_ sale: OwnSale) {
        let (day, quantity) = (StoreDay(pacific: sale.soldAt), sale.transaction.quantity)
        var event = Event(
            ware: sale.ware, sale: sale, units: quantity,
            own: .init(day: day, utcDay: StoreDay(utc: sale.soldAt), price: sale.unitPrice, gross: sale.price),
            store: ReportedSale(sale, on: day, units: quantity, price: sale.unitPrice))
        switch sale.standing {
        case .own:
            if let recoveredAt = sale.transaction.recoveredAt { event.store?.move(to: StoreDay(pacific: recoveredAt)) }
        case .tester:
            event.own = nil
            event.reason = .sandbox
        case .shared:
            event.own = nil
            event.reason = .familyAssigned
            guard Self.covers(day), random.chance(share(.familyAssigned)) else { return }
        }
        if concerns(event) { events.append(event) }
        guard let refund = sale.refund else { return }
        let (refundDay, amount) = (StoreDay(pacific: refund.at), refund.milliunits)
        let step = sale.ware.storefront.minorUnit
        // What the store gives back of one is a whole amount of the currency.
        let storePrice = (2 * amount + quantity * step) / (2 * quantity * step) * step
        event = Event(
            ware: sale.ware, sale: sale, isRefund: true, units: -quantity,
            own: .init(day: refundDay, utcDay: StoreDay(utc: refund.at), price: amount / quantity, gross: -amount),
            store: ReportedSale(sale, on: refundDay, units: -quantity, price: storePrice))
        event.store?.purchaseDay = day
        if concerns(event) { events.append(event) }
    }

    /// Whether a report can have it: FINANCE_DETAIL has what was settled days later, too.
    private func concerns(_ event: Event) -> Bool {
        event.days.contains { Self.first.advanced(by: -Self.longestLag) <= $0 && $0 <= Self.last }
    }

    static let longestLag: Int64 = 10

    // MARK: Planting

    /// What the customers' histories decided.
    private mutating func plantGiven() {
        for index in events.indices {
            let event = events[index]
            guard let own = event.own else {
                plant(index, event.reason, insists: true)
                continue
            }
            guard let store = event.store, let sale = event.sale else { continue }
            if event.isRefund {
                if own.gross != event.units * store.price { plant(index, .rounding, insists: true) }
            } else if sale.transaction.recoveredAt != nil {
                plantRecovery(index, isTold: sale.isRecoveryTold, own.day, store.day)
            }
        }
    }

    private mutating func plantRecovery(_ index: Int, isTold: Bool, _ ownDay: StoreDay, _ storeDay: StoreDay) {
        if Self.covers(storeDay) {
            plant(index, .billingRetry, insists: true)
        } else if Self.covers(ownDay) {
            // Paid when the files are over.
            events[index].store = nil
            plant(index, .notInReport, insists: true)
        }
        if !isTold || !Self.covers(ownDay) || !Self.covers(storeDay) { events[index].isMixed = true }
    }

    private mutating func plantRefunds() {
        for index in events.indices where events[index].isRefund && events[index].reason == nil {
            guard random.chance(share(.refundDatedElsewhere)) else { continue }
            // Later by far more often than before.
            let days = random.chance(0.8) ? Int64(random.int(1...20)) : Int64(-random.int(1...3))
            move(index, by: days, .refundDatedElsewhere)
        }
    }

    private mutating func plantSales() {
        for index in events.indices {
            let event = events[index]
            guard !event.isRefund, event.reason == nil, let own = event.own, own.price > 0, event.sale?.refund == nil
            else { continue }
            let planted = [StoreClass.notInReport, .settledLater, .priceChanged].map(share)
            let unplanted = 100_000 - Int(planted.reduce(0, +) * 100_000)
            let drawn = random.weighted(planted.map { Int($0 * 100_000) } + [unplanted])
            switch drawn {
            case 0: if plant(index, .notInReport) { events[index].store = nil }
            case 1: move(index, by: Int64(random.int(1...6)), .settledLater)
            case 2:
                events[index].store?.price = Self.changed(own.price, event.ware)
                if !plant(index, .priceChanged) { events[index].store = event.store }
            default: break
            }
        }
    }

    private static func changed(_ price: Int64, _ ware: StoreWare) -> Int64 {
        let step = ware.storefront.minorUnit * 10
        return (price * 5 / 4 / step + 1) * step
    }

    private mutating func move(_ index: Int, by days: Int64, _ reason: StoreClass) {
        guard let own = events[index].own, Self.covers(own.day), Self.covers(own.day.advanced(by: days)) else { return }
        let before = events[index].store
        events[index].store?.move(to: own.day.advanced(by: days))
        if !plant(index, reason) { events[index].store = before }
    }

    /// Sales of customers of whom no line of the archive tells.
    ///
    /// None is so early that a sale before the first file might be meant.
    private mutating func plantSilent() {
        let known = events.count {
            !$0.isRefund && $0.own != nil && $0.sale.map { $0.price > 0 } ?? false && isWithin($0)
        }
        let share = min(share(.notInArchive), 0.9)
        let target = Int((Double(known) * share / (1 - share)).rounded())
        let earliest = Self.first.advanced(by: Self.longestLag + 1)
        let days = Int(earliest.distance(to: Self.last)) + 1
        // One month is known to less than the others.
        let dark = Self.months[4]
        for _ in 0..<target {
            // Nothing needs this sale, but without its draws all later ones would be others.
            _ = silentSale(on: Self.first)
            // A few tries find a place of its own for nearly each.
            for attempt in 0..<20 {
                let day =
                    random.chance(0.2)
                    ? dark.first.advanced(by: Int64(random.below(28)))
                    : earliest.advanced(by: Int64(random.below(days)))
                events.append(silentSale(on: day))
                if plant(events.count - 1, .notInArchive, insists: attempt == 19) { break }
                events.removeLast()
            }
        }
    }

    private mutating func silentSale(on day: StoreDay) -> Event {
        let app = random.weighted(App.all.map(\.weight))
        let product = random.below(App.all[app].products.count)
        let ware = StoreWare(app: app, product: product, storefront: random.weighted(Storefront.all.map(\.weight)))
        let price = ware.storefront.price(ofDollars: ware.product.dollars)
        return Event(ware: ware, units: 1, store: ReportedSale(ware: ware, day: day, units: 1, price: price))
    }

    /// - Returns: whether it was planted: by itself, or among others on purpose.
    @discardableResult
    private mutating func plant(_ index: Int, _ reason: StoreClass?, insists: Bool = false) -> Bool {
        guard let reason, isWithin(events[index]) else { return false }
        let place = PlantedPlace(events[index], reason, index: index)
        let others = places[place.ware, default: []].filter(place.isNear)
        if !others.isEmpty {
            guard insists || random.chance(Self.mixedShare) else { return false }
            for other in others + [place] { events[other.index].isMixed = true }
        }
        events[index].reason = reason
        places[place.ware, default: []].append(place)
        return true
    }

    /// Of differences that come too near to others, those that are planted all the same.
    private static let mixedShare = 0.1

    private func isWithin(_ event: Event) -> Bool { event.days.contains { Self.covers($0) } }

    // MARK: What the store reports

    private mutating func report() {
        for index in events.indices {
            let event = events[index]
            guard var store = event.store else { continue }
            if event.reason == .settledLater, let day = event.own?.day { store.transactionDay = day }
            // On the day itself, on the next, or later.
            let drawnLag = random.weighted([50, 42, 8])
            let lag = drawnLag < 2 ? drawnLag : random.int(2...Int(Self.longestLag))
            let settledOn = max(store.transactionDay.advanced(by: Int64(lag)), store.day)
            store.settlementDay = min(settledOn, max(Self.last, store.day))
            // The store pays nothing for what costs nothing.
            store.isSettled =
                store.price > 0 && event.reason != .sandbox && event.reason != .familyAssigned
                && Self.covers(store.settlementDay)
            store.isRecovered = event.reason == .billingRetry
            store.hasPreservedPrice = event.reason == .priceChanged
            let drawn = Int64(random.next() >> 20)
            if event.sale == nil {
                (store.isRenewal, store.subscriber) = (event.ware.isSubscription && drawn % 3 != 0, drawn)
            }
            events[index].store = store
        }
    }
}
