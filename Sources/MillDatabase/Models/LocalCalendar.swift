internal import Foundation
package import GRDB
package import MillSystem

/// The days of one time zone, as instants. Models find days and months by joining tables of them, because SQLite,
/// DuckDB and Spark have no common function for this.
package struct LocalCalendar: Sendable {
    /// The years of the calendar.
    package static let years = 2008...2040

    package struct Day: Sendable, Hashable {
        /// The number of days from 1970-01-01 to the day's local date.
        package let number: Int
        /// Milliseconds since 1970 UTC. A day that the zone skipped begins and ends at the same instant.
        package let begins, ends: Int64
    }

    /// A day in UTC, and the local days that overlap it.
    package struct UTCDay: Sendable, Hashable {
        package let number: Int
        /// The instant within the day at which another local day begins; the beginning of the day itself if none does.
        package let midnight: Int64
        package let earlierDay, laterDay: Int
    }

    /// The zone's IANA name.
    package let zone: String
    package let days: [Day]
    package let utcDays: [UTCDay]

    private static let first = dayNumber(ofYear: years.lowerBound)
    private static let last = dayNumber(ofYear: years.upperBound + 1) - 1

    /// - Throws: ``MillError`` if the name is not a zone's, or if the zone's clocks once went back over midnight: a
    ///   date that begins twice has no single beginning.
    package init(zone name: String) throws(MillError) {
        guard name == "UTC" || name.contains("/"), let zone = TimeZone(identifier: name) else {
            throw Self.refusal("'\(name)' is no time zone", "give an IANA name such as America/Los_Angeles, or UTC")
        }
        self.zone = name
        let offset = { (second: Int) in zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))) }
        /// The time in seconds of each change of the local day, with the days before and after it.
        var changes: [(second: Int, earlier: Int, later: Int)] = []
        var utcDays: [UTCDay] = []
        var day = Self.day(of: (Self.first - 1) * 86_400 + offset((Self.first - 1) * 86_400))
        func change(to later: Int, at second: Int) {
            guard later != day else { return }
            changes.append((second, day, later))
            day = later
        }
        var offsetAtStart = offset((Self.first - 1) * 86_400)
        for number in Self.first - 1...Self.last + 1 {
            let (start, end) = (number * 86_400, (number + 1) * 86_400)
            let offsetAtEnd = offset(end)
            let transition = offsetAtEnd == offsetAtStart ? end : Self.transition(from: start, to: end, offset)
            let before = changes.count
            for (begin, end, offset) in [(start, transition, offsetAtStart), (transition, end, offsetAtEnd)]
            where begin < end {
                change(to: Self.day(of: begin + offset), at: begin)
                let midnight = (day + 1) * 86_400 - offset
                if midnight < end { change(to: day + 1, at: midnight) }
            }
            let new = changes[before...]
            let inside = new.filter { $0.second > start }
            guard inside.count < 2, new.allSatisfy({ $0.later > $0.earlier }) else {
                let date = CivilTime.iso8601(milliseconds: Int64(start) * 1000)
                throw Self.refusal(
                    "the clocks of \(name) went back over midnight on \(date.prefix(10)) or the day before",
                    "give a zone whose dates begin once, such as a neighbour's")
            }
            let earlier = inside.first?.earlier ?? day
            if (Self.first...Self.last).contains(number) {
                utcDays.append(
                    UTCDay(
                        number: number, midnight: Int64(inside.first?.second ?? start) * 1000, earlierDay: earlier,
                        laterDay: day))
            }
            offsetAtStart = offsetAtEnd
        }
        self.utcDays = utcDays
        var begins: [Int: Int64] = [:]
        for change in changes {
            for number in change.earlier + 1...change.later { begins[number] = Int64(change.second) * 1000 }
        }
        days = (Self.first...Self.last).compactMap { number in
            guard let begin = begins[number], let end = begins[number + 1] else { return nil }
            return Day(number: number, begins: begin, ends: end)
        }
    }

    /// The first second at which the offset differs from that at the start of a span.
    private static func transition(from start: Int, to end: Int, _ offset: (Int) -> Int) -> Int {
        let former = offset(start)
        var (low, high) = (start, end)
        while high - low > 1 {
            let middle = (low + high) / 2
            if offset(middle) == former { low = middle } else { high = middle }
        }
        return high
    }

    private static func day(of localSecond: Int) -> Int { Int((Double(localSecond) / 86_400).rounded(.down)) }

    private static func dayNumber(ofYear year: Int) -> Int {
        // Every fourth year between 1901 and 2099 is a leap year.
        (year - 1970) * 365 + (year - 1969) / 4
    }

    private static func refusal(_ what: String, _ hint: String) -> MillError {
        MillError(stage: .refreshing, what: what, hint: hint, exitStatus: .usage)
    }
}

extension LocalCalendar {
    /// Stores the zone in which models count days. For use within a transaction.
    package func store(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO setting (name, value) VALUES ('time_zone', ?)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """, arguments: [zone])
    }
}
