/// A day of the calendar, in UTC.
public struct MintDay: Sendable, Equatable {
    /// `2026-10-31`.
    public let text: String
    /// The midnight that ends the day.
    let end: CalendarTime

    /// - Parameter text: year, month and day, parted by hyphens.
    public init?(_ text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard text.utf8.count == 10, parts.count == 3, (2_000...2_099).contains(parts[0]) else { return nil }
        let start = CalendarTime(parts[0], parts[1], parts[2])
        guard start.wholeSeconds.hasPrefix(text) else { return nil }
        (self.text, end) = (text, start + .days(1))
    }

    private init(_ text: String, end: CalendarTime) { (self.text, self.end) = (text, end) }

    /// Unless another is asked for.
    public static let standard = MintDay("2026-10-31", end: CalendarTime(2026, 11, 1))

    /// Whether all that the mint plays until then is within the years that its certificates sign for.
    public var isWithinReach: Bool { CalendarTime(2026, 7, 1) <= end && end <= CalendarTime(2027, 9, 30) }
}
