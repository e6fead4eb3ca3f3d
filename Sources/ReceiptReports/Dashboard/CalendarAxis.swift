internal import Foundation
internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// Converts days and months into numbers at which they are drawn, and numbers into the texts of ticks.
enum CalendarAxis: Equatable {
    /// Days since 1970.
    case days
    /// Months since year 0.
    case months

    /// The days of the view `calendar`. Nothing can have happened before the App Store opened or decades from now,
    /// whatever a receipt or a clock states.
    static let drawable = Double(CivilTime.dayNumber(2008, 1, 1))...Double(CivilTime.dayNumber(2040, 12, 31))

    /// The first and last day of `reach`, which counts days from the newest day, limited to ``drawable``; all of
    /// ``drawable`` if no newest day is known.
    static func days(around newest: Int64?, _ reach: ClosedRange<Int64>) -> ClosedRange<String> {
        func text(_ day: Int64, _ otherwise: Double) -> String {
            let day = newest.map { min(max(Double($0 + day), drawable.lowerBound), drawable.upperBound) }
            return CalendarAxis.days.text(of: day ?? otherwise)
        }
        return text(reach.lowerBound, drawable.lowerBound)...text(reach.upperBound, drawable.upperBound)
    }

    /// The axis of a column of days, months or times; nil for any other column.
    init?(of column: ReportColumn) {
        switch column.kind {
        case .date, .time: self = .days
        case .month: self = .months
        default: return nil
        }
    }

    /// The number of a text such as `2024-02-29` or `2024-02`; nil for any other text.
    func number(of text: DocumentText) -> Double? {
        // The texts come from strangers. A text of another length is not split, because splitting could take long.
        guard text.utf8.count == (self == .days ? 10 : 7) else { return nil }
        let parts = text.string.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let year = parts[0], year >= 0, parts.count >= 2, let month = parts[1], (1...12).contains(month)
        else { return nil }
        if self == .months { return Double(year * 12 + month - 1) }
        guard parts.count == 3, let day = parts[2], (1...31).contains(day) else { return nil }
        return Double(CivilTime.dayNumber(year, month, day))
    }

    /// The text of a number, in the form that ``number(of:)`` reads.
    func text(of number: Double) -> String {
        let number = Int(number)
        return self == .months
            ? String(format: "%04d-%02d", number / 12, number % 12 + 1)
            : String(CivilTime.iso8601(milliseconds: Int64(number) * 86_400_000).prefix(10))
    }

    /// Ticks at days, at first days of months, or at first months of years; at most `count`.
    func ticks(in range: ClosedRange<Double>, atMost count: Int) -> [(number: Double, text: String)] {
        let count = max(1, count)
        if self == .days {
            for step in [1, 2, 7, 14] where range.upperBound - range.lowerBound < Double(step * count) {
                return stride(from: range.lowerBound, through: range.upperBound, by: Double(step))
                    .map { ($0, text(of: $0)) }
            }
        }
        let months = self == .months ? range : month(of: range.lowerBound)...month(of: range.upperBound)
        let steps = [1, 2, 3, 6, 12, 24, 60, 120, 600, 1200]
        let step = steps.first { months.upperBound - months.lowerBound < Double($0 * count) } ?? 12_000
        let first = (Int(months.lowerBound) + step - 1) / step * step
        return stride(from: first, through: Int(months.upperBound), by: step).compactMap { month in
            let text = CalendarAxis.months.text(of: Double(month))
            let number = self == .months ? Double(month) : Double(CivilTime.dayNumber(month / 12, month % 12 + 1, 1))
            return range.contains(number) ? (number, step < 12 ? text : String(text.prefix(4))) : nil
        }
    }

    private func month(of day: Double) -> Double {
        CalendarAxis.months.number(of: DocumentText(String(text(of: day).prefix(7)))) ?? 0
    }
}
