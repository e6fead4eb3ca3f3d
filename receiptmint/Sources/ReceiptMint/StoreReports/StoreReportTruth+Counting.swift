internal import MintSigning
internal import MintStore

extension Truth.StoreReports {
    init(_ plan: StoreReportPlan) {
        self.init()
        firstDay = StoreReportPlan.first.iso
        lastDay = StoreReportPlan.last.iso
        for event in plan.events { sales.count(event) }
        for sale in plan.reported where sale.isSettled {
            financeDetail.count(sale)
            if sale.settlementDay != sale.transactionDay { settledLater.count(sale) }
        }
    }
}

extension Truth.Sides {
    fileprivate mutating func count(_ event: StoreReportPlan.Event) {
        let currency = event.ware.storefront.currency
        if let own = event.coveredOwn {
            ownUnits += event.units
            ownGross[currency, default: 0] += own.gross
            if own.day != own.utcDay {
                var edge = event
                (edge.store, edge.isMixed) = (nil, false)
                classes[StoreClass.dayEdge.rawValue, default: .init()].count(edge, days: [own.day, own.utcDay])
            }
        }
        if let store = event.coveredStore {
            storeUnits += event.units
            storeGross[currency, default: 0] += event.units * store.price
        }
        guard let reason = event.reason, event.coveredOwn != nil || event.coveredStore != nil else { return }
        classes[reason.rawValue, default: .init()].count(
            event, days: [event.coveredOwn?.day, event.coveredStore?.day].compactMap(\.self))
    }
}

extension Truth.Planted {
    fileprivate mutating func count(_ event: StoreReportPlan.Event, days: [StoreDay]) {
        let currency = event.ware.storefront.currency
        events += 1
        if event.isMixed { mixed += 1 }
        if let own = event.coveredOwn {
            ownUnits += event.units
            ownGross[currency, default: 0] += own.gross
        }
        if let store = event.coveredStore {
            storeUnits += event.units
            storeGross[currency, default: 0] += event.units * store.price
        }
        guard let first = days.min(), let last = days.max(), first != last else { return }
        if first.month != last.month { acrossMonths[first.month, default: 0] += 1 }
        if FiscalMonth.of(first) != FiscalMonth.of(last) { acrossFiscalMonths += 1 }
    }
}

extension Truth.Settled {
    fileprivate mutating func count(_ sale: ReportedSale) {
        let currency = sale.ware.storefront.currency
        units += sale.units
        gross[currency, default: 0] += sale.gross
        proceeds[currency, default: 0] += sale.units * sale.proceeds
        let month = FiscalMonth.of(sale.settlementDay)
        if FiscalMonth.of(sale.transactionDay) != month { unitsAcrossFiscalMonths += sale.units }
        unitsByFiscalMonth[month.first.iso, default: 0] += sale.units
    }
}

extension StoreReportPlan.Event {
    /// The archive's side, where it is of the days of the files.
    var coveredOwn: Own? { own.flatMap { StoreReportPlan.covers($0.day) ? $0 : nil } }
    var coveredStore: Stored? { store.flatMap { StoreReportPlan.covers($0.day) ? $0 : nil } }

    var differences: [StoreDifferenceTruth] {
        guard coveredOwn != nil || coveredStore != nil else { return [] }
        var lines: [StoreDifferenceTruth] = []
        if let own = coveredOwn, own.day != own.utcDay {
            var edge = self
            (edge.store, edge.isMixed) = (nil, false)
            lines.append(edge.difference(.dayEdge))
        }
        if let reason { lines.append(difference(reason)) }
        return lines
    }

    private func difference(_ reason: StoreClass) -> StoreDifferenceTruth {
        let (own, store) = (coveredOwn, coveredStore)
        return StoreDifferenceTruth(
            class: reason.rawValue, transactionId: sale.map { String($0.transactionID) }, bundleId: ware.app.bundleID,
            productId: ware.product.id, country: ware.storefront.shortCountry, currency: ware.storefront.currency,
            isRefund: isRefund, isMixed: isMixed, utcDay: own?.utcDay.iso, ownDay: own?.day.iso,
            ownUnits: own == nil ? 0 : units, ownPriceMilliunits: own?.price, ownGrossMilliunits: own?.gross ?? 0,
            storeDay: store?.day.iso, storeUnits: store == nil ? 0 : units, storePriceMilliunits: store?.price,
            storeGrossMilliunits: store.map { units * $0.price } ?? 0)
    }
}
