internal import Foundation
internal import GRDB
internal import MillSystem

/// The clock by which a run tells days, weeks and months, where it is not that of UTC.
///
/// It is ahead of UTC by the same all year: days are numbers to views and reports, which
/// SQLite, DuckDB and Spark make by adding to milliseconds. A zone that changes its clocks
/// has no such number, and is refused rather than told wrong for half a year.
package struct DayClock: OfferedList, Hashable {
    /// The parameter that every report takes whose days can be told by another clock.
    package static let parameter = "time_zone"
    static let meaning =
        "clock that days, weeks and months are told by: an offset such as +09:00, or a zone that keeps one"

    static let view = "zone_offset"
    static let columns = "ms INTEGER, second INTEGER, suffix TEXT"

    /// Seconds ahead of UTC.
    let seconds: Int

    /// No zone is further from UTC.
    private static let greatestSeconds = 14 * 3600
    /// The years of the view calendar.
    private static let years = 2008...2040

    var rows: [StatementArguments] { [[seconds * 1000, seconds, suffix]] }

    /// `Z`, or the offset as moments end in it: `+09:00`.
    private var suffix: String { seconds == 0 ? "Z" : Self.offsetText(seconds) }

    /// What stands for `UTC` in the words of a report.
    private var name: String { seconds == 0 ? "UTC" : "UTC" + suffix }

    /// - Parameter text: `+09:00`, `-0530`, `UTC`, or the name of a zone such as `Asia/Tokyo`.
    init(_ text: String) throws(UnfitValue) {
        if text == "UTC" || text == "Z" {
            seconds = 0
        } else if let offset = Self.offset(text) {
            guard abs(offset) <= Self.greatestSeconds, offset % 900 == 0 else {
                throw UnfitValue(what: "is no offset that a zone has: those are quarters of an hour, up to 14 hours")
            }
            seconds = offset
        } else {
            seconds = try Self.offset(ofZone: text)
        }
    }

    /// The seconds of `+09:00` or `+0900`; nil for what is neither.
    private static func offset(_ text: String) -> Int? {
        guard let sign = text.first, "+-".contains(sign) else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.utf8.count == 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.utf8.count == 5 || (text.utf8.count == 6 && text.dropFirst(3).first == ":"),
            let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), minutes < 60
        else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// The one offset of a zone in all years of the calendar.
    private static func offset(ofZone name: String) throws(UnfitValue) -> Int {
        guard name.contains("/"), let zone = TimeZone(identifier: name) else {
            throw UnfitValue(what: "is neither an offset such as +09:00 nor a zone such as Asia/Tokyo")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        // Clocks change by the season: each month has a moment that shows it.
        let moments = years.flatMap { year in
            (1...12).compactMap { calendar.date(from: DateComponents(year: year, month: $0, day: 15)) }
        }
        let offsets = Set(moments.map(zone.secondsFromGMT(for:))).sorted()
        guard let only = offsets.first, offsets.count == 1 else {
            throw UnfitValue(
                what: "is a zone that changed its clocks since \(years.lowerBound), between "
                    + offsets.map(offsetText).joined(separator: " and ") + ": give one of these offsets")
        }
        return only
    }

    private static func offsetText(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        let digits = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
        return (seconds < 0 ? "-" : "+") + digits(minutes / 60) + ":" + digits(minutes % 60)
    }

    /// Days since 1970 to today by this clock.
    package var today: Int64 {
        Int64(((Date().timeIntervalSince1970 + Double(seconds)) / 86_400).rounded(.down))
    }

    /// A header whose words name this clock where they name UTC.
    func renaming(_ header: ReportHeader) -> ReportHeader {
        guard seconds != 0 else { return header }
        var header = header
        let renamed = { (text: String) in text.replacing("UTC", with: name) }
        header.question = renamed(header.question)
        header.notes = header.notes.map(renamed)
        for index in header.columns.indices where header.columns[index].kind != .time {
            header.columns[index].meaning = renamed(header.columns[index].meaning)
        }
        return header
    }
}

extension Report {
    /// Whether days of the report can be told by another clock than that of UTC.
    package var takesTimeZone: Bool { reads(DayClock.view) }
}
