internal import MillSystem

/// Apple's fiscal months, which are the periods of its financial reports. Weeks are from Sunday to Saturday. A year
/// begins on the Sunday after September's last Saturday. The months of a quarter have five, four and four weeks, and
/// the 53rd week of a long year belongs to December.
package struct FiscalCalendar: Sendable {
    package struct Month: Sendable, Hashable {
        /// The fiscal year and the month's number in the year, as in Apple's interfaces: October 2025 is `2026-01`.
        package let name: String
        /// Twelve times the fiscal year, plus the number of months of the year before this one.
        package let number: Int
        /// The first and the last day, in days since 1970-01-01.
        package let begins, ends: Int
    }

    package let months: [Month]

    /// - Parameter years: the fiscal years, each named after the calendar year in which it ends.
    package init(years: ClosedRange<Int>) {
        months = years.flatMap { year in
            var begins = Self.firstDay(ofYear: year)
            let isLong = Self.firstDay(ofYear: year + 1) - begins > 52 * 7
            return (0..<12).map { place in
                let weeks = (place % 3 == 0 ? 5 : 4) + (isLong && place == 2 ? 1 : 0)
                defer { begins += 7 * weeks }
                let ofYear = place < 9 ? "0\(place + 1)" : "\(place + 1)"
                return Month(
                    name: "\(year)-\(ofYear)", number: 12 * year + place, begins: begins, ends: begins + 7 * weeks - 1)
            }
        }
    }

    /// The months that cover all days of ``LocalCalendar/years``.
    package static let all = FiscalCalendar(years: LocalCalendar.years.lowerBound...LocalCalendar.years.upperBound + 1)

    /// The fiscal month of a day; nil for days outside the calendar.
    package func month(of day: Int) -> Month? {
        var (low, high) = (0, months.count)
        while low < high {
            let middle = (low + high) / 2
            if months[middle].ends < day { low = middle + 1 } else { high = middle }
        }
        return low < months.count && months[low].begins <= day ? months[low] : nil
    }

    private static func firstDay(ofYear year: Int) -> Int {
        let lastOfSeptember = CivilTime.dayNumber(year - 1, 9, 30)
        // 1970-01-01 was a Thursday, so Saturdays have the remainder 2.
        return lastOfSeptember - (lastOfSeptember - 2) % 7 + 1
    }
}
