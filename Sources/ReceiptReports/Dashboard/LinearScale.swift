internal import Foundation

/// Maps values to positions along a length of a drawing, with ticks at round numbers.
struct LinearScale: Equatable {
    /// Multiples of 1, 2 or 5 times a power of ten; the first and the last tick are the ends of the scale.
    let ticks: [Double]
    /// The positions of the first and the last tick.
    let start, end: Double

    /// - Parameters:
    ///   - values: finite numbers that the scale has to include, as it does 0.
    ///   - isWhole: whether the values are whole, so that there are no ticks between whole numbers.
    ///   - wanted: the approximate number of steps.
    init(
        covering values: [Double], isWhole: Bool, from start: Double, to end: Double, steps wanted: Int = 4
    ) {
        let low = min(0, values.min() ?? 0)
        var high = max(0, values.max() ?? 0)
        if low == high { high = 1 }
        let raw = (high - low) / Double(wanted)
        let magnitude = pow(10, floor(log10(raw)))
        let factor = [1.0, 2, 5, 10].first { $0 * magnitude >= raw * 0.999_999 } ?? 10
        let step = isWhole ? max(1, factor * magnitude) : factor * magnitude
        let first = Int((low / step).rounded(.down))
        let last = Int((high / step - 0.000_001).rounded(.up))
        ticks = (first...max(last, first + 1)).map { Double($0) * step }
        self.start = start
        self.end = end
    }

    func position(of value: Double) -> Double {
        let low = ticks[0]
        let high = ticks[ticks.count - 1]
        return start + (value - low) / (high - low) * (end - start)
    }
}
