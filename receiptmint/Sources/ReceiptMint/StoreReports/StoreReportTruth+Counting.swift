extension Truth.StoreReports {
    init(_ plan: StoreReportPlan) {
        self.init()
        firstDay = StoreReportPlan.first.iso
        lastDay = StoreReportPlan.last.iso
        for event in plan.events {
            if let found = event.inSales { sales.count(found, of: event) }
            if let found = event.inDetail { financeDetail.count(found, of: event) }
        }
        for sale in plan.reported where sale.isSettled { settled.count(sale) }
    }
}

/// A sale or refund as one report and the archive have it.
private typealias Sighting = (reason: String, own: StoreReportPlan.Event.Own?, store: ReportedSale?)

extension Truth.Sides {
    fileprivate mutating func count(_ found: Sighting, of event: StoreReportPlan.Event) {
        let currency = event.ware.storefront.currency
        var planted = classes[found.reason] ?? .init()
        if let own = found.own {
            ownUnits += event.units
            ownGross[currency, default: 0] += own.gross
            planted.ownUnits += event.units
            planted.ownGross[currency, default: 0] += own.gross
        }
        if let store = found.store {
            storeUnits += event.units
            storeGross[currency, default: 0] += event.units * store.price
            planted.storeUnits += event.units
            planted.storeGross[currency, default: 0] += event.units * store.price
        }
        planted.count(found, of: event)
        classes[found.reason] = planted
    }
}

extension Truth.Planted {
    fileprivate mutating func count(_ found: Sighting, of event: StoreReportPlan.Event) {
        events += 1
        if event.isMixed {
            mixed += 1
            mixedUnits += abs(event.units)
        }
        guard let ours = found.own?.utcDay, let theirs = found.store?.day, ours != theirs else { return }
        let (first, last) = (min(ours, theirs), max(ours, theirs))
        if first.month != last.month { acrossMonths[first.month, default: 0] += 1 }
        if FiscalMonth.of(first) != FiscalMonth.of(last) { acrossFiscalMonths += 1 }
    }
}

extension Truth.Settled {
    fileprivate mutating func count(_ sale: ReportedSale) {
        proceeds[sale.ware.storefront.currency, default: 0] += sale.units * sale.proceeds
        let month = FiscalMonth.of(sale.settlementDay)
        unitsByFiscalMonth[month.first.iso, default: 0] += sale.units
        guard sale.settlementDay != sale.transactionDay else { return }
        unitsLater += sale.units
        if FiscalMonth.of(sale.transactionDay) != month { unitsAcrossFiscalMonths += sale.units }
    }
}

extension StoreReportPlan.Event {
    private var isAtEdge: Bool { own.map { $0.day != $0.utcDay } ?? false }

    /// What differs by the clock alone, or by what rounding leaves, does so first by the clock.
    fileprivate var inSales: Sighting? {
        let own = own.flatMap { StoreReportPlan.covers($0.day) ? $0 : nil }
        let store = store.flatMap { StoreReportPlan.covers($0.day) ? $0 : nil }
        guard own != nil || store != nil else { return nil }
        var kind = reason
        if isAtEdge, kind == nil || kind == .rounding { kind = .dayEdge }
        return (kind?.rawValue ?? Truth.Sides.agreed, own, store)
    }

    /// Days of settlement come before clocks, since rows state them.
    fileprivate var inDetail: Sighting? {
        guard reason != .sandbox, reason != .familyAssigned else { return nil }
        var store = store.flatMap { $0.isSettled ? $0 : nil }
        let own = own.flatMap { $0.price > 0 && (store != nil || StoreReportPlan.covers($0.day)) ? $0 : nil }
        guard own != nil || store != nil else { return nil }
        var kind = reason == .settledLater ? nil : reason
        if kind == nil || kind == .rounding {
            if let store, store.settlementDay != store.transactionDay {
                kind = .settledLater
            } else if isAtEdge {
                kind = .dayEdge
            }
        }
        if store == nil { kind = .notInReport }
        store = store.map { $0.with { $0.day = $0.settlementDay } }
        return (kind?.rawValue ?? Truth.Sides.agreed, own, store)
    }

    /// A line of `truth-store.jsonl`: how the archive and SALES differ, if they do. Amounts in milliunits; refunds have
    /// units and gross below zero.
    var difference: JSONText? {
        guard let found = inSales, found.reason != Truth.Sides.agreed else { return nil }
        let (own, store) = (found.own, found.store)
        return [
            "class": found.reason,
            // Absent, as all of the archive's side, where the archive has no such sale.
            "transaction_id": sale.map { String($0.transaction.id) }, "bundle_id": ware.app.bundleID,
            "product_id": ware.product.id, "country": ware.storefront.shortCountry,
            "currency": ware.storefront.currency, "is_refund": isRefund,
            // Whether the difference is near another planted difference of the same product and country.
            "is_mixed": isMixed,
            // The day of the archive's sale at Greenwich, and in California.
            "utc_day": own?.utcDay.iso, "own_day": own?.day.iso, "own_units": own == nil ? 0 : units,
            "own_price_milliunits": own?.price, "own_gross_milliunits": own?.gross ?? 0,
            // Absent where the store's files lack the sale.
            "store_day": store?.day.iso, "store_units": store == nil ? 0 : units,
            "store_price_milliunits": store?.price, "store_gross_milliunits": store.map { units * $0.price } ?? 0,
        ]
    }
}
