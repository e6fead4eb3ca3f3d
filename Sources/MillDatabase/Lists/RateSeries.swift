/// The rates of one currency into another, in the order of their days. A rate applies until the day of the next one.
struct RateSeries: Equatable {
    /// Days since 1970, ascending.
    private(set) var days: [Int] = []
    private(set) var rates: [Double] = []

    init(_ dated: [(day: Int, rate: Double)]) {
        for (day, rate) in dated.sorted(by: { $0.day < $1.day }) { append(day, rate) }
    }

    private mutating func append(_ day: Int, _ rate: Double) {
        days.append(day)
        rates.append(rate)
    }

    /// The rates in the other direction.
    var inverse: RateSeries {
        var inverse = self
        inverse.rates = rates.map { 1 / $0 }
        return inverse
    }

    /// The product of this series, A into B, and another one, B into C: the rates of A into C.
    func followed(by other: RateSeries) -> RateSeries {
        var cross = RateSeries([])
        var (left, right) = (0, 0)
        for day in Set(days + other.days).sorted() {
            while left < days.count, days[left] <= day { left += 1 }
            while right < other.days.count, other.days[right] <= day { right += 1 }
            if left > 0, right > 0 { cross.append(day, rates[left - 1] * other.rates[right - 1]) }
        }
        return cross
    }

    /// Calls `body` for each day of a range for which there is a rate.
    func forEachDay(in range: ClosedRange<Int>, _ body: (_ day: Int, _ rate: Double) throws -> Void) rethrows {
        for index in days.indices {
            let end = index + 1 < days.count ? min(days[index + 1] - 1, range.upperBound) : range.upperBound
            let start = max(days[index], range.lowerBound)
            if start <= end { for day in start...end { try body(day, rates[index]) } }
        }
    }
}
