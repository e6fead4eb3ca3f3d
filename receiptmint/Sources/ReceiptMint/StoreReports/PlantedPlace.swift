/// Where a difference is planted, so that others keep away from it.
struct PlantedPlace {
    let ware: StoreWare
    private let isRefund: Bool
    private let reason: StoreClass
    private let prices: [Int64]
    private let days: ClosedRange<Int64>
    /// The event's place in the plan.
    let index: Int

    init(_ event: StoreReportPlan.Event, _ reason: StoreClass, index: Int) {
        (ware, isRefund, self.reason, self.index) = (event.ware, event.isRefund, reason, index)
        prices = [event.own?.price, event.store?.price].compactMap(\.self)
        let numbers = event.days.map(\.number)
        days = (numbers.min() ?? 0)...(numbers.max() ?? 0)
    }

    /// Who compares both sides looks so many days around for a sale, and for a refund.
    private var reach: Int64 { isRefund ? 31 : 10 }

    func isNear(_ other: PlantedPlace) -> Bool {
        guard isRefund == other.isRefund, reason != other.reason else { return false }
        let isSamePrice = prices.contains { other.prices.contains($0) }
        let reach = isSamePrice ? reach : 0
        return days.lowerBound - reach <= other.days.upperBound && other.days.lowerBound - reach <= days.upperBound
    }
}
