internal import Foundation
internal import ReceiptFormat
internal import ReportHeaders

/// Days and months relative to today: `today`, `yesterday`, `last-7-days` (the day seven days before today),
/// `this-month`, `last-month`, `last-12-months`.
package enum RelativeTime {
    /// Days from 1970 to today in UTC.
    package static var today: Int64 { today(in: "UTC") }

    /// Days from 1970 to today in the time zone of a database; in UTC if the database can't be read, since running the
    /// report then fails with the reason.
    package static func today(of session: Result<ReportSession, any Error>) -> Int64 {
        today(in: (try? session.get().timeZone()) ?? "UTC")
    }

    /// - Parameter now: the present, in seconds since 1970.
    static func today(in zone: String, at now: Double = Date().timeIntervalSince1970) -> Int64 {
        let offset = TimeZone(identifier: zone)?.secondsFromGMT(for: Date(timeIntervalSince1970: now)) ?? 0
        return Int64(((now + Double(offset)) / 86_400).rounded(.down))
    }

    /// The maximum number of days or months before today; a greater number is treated as a typing error.
    private static let maximumCount = 36_500

    /// The day or month that a text such as `last-7-days` means; nil for any other text.
    ///
    /// - Parameter today: days from 1970 to today.
    static func resolve(_ text: String, as kind: ParameterKind, today: Int64) -> String? {
        switch kind {
        case .date:
            return count(text, ["today": 0, "yesterday": 1], unit: "days").map {
                CalendarAxis.days.text(of: Double(Int(today) - $0))
            }
        case .monthOrAll:
            return resolve(text, as: .month, today: today) ?? resolve(text, as: .date, today: today)
        case .month:
            let thisMonth = DocumentText(String(CalendarAxis.days.text(of: Double(today)).prefix(7)))
            let month = CalendarAxis.months.number(of: thisMonth)
            return count(text, ["this-month": 0, "last-month": 1], unit: "months").flatMap { count in
                month.flatMap { Int($0) < count ? nil : CalendarAxis.months.text(of: $0 - Double(count)) }
            }
        default: return nil
        }
    }

    /// The words that can be used instead of a day or a month, as a text for people; nil for other kinds.
    static func forms(of kind: ParameterKind) -> String? {
        switch kind {
        case .date: "today, yesterday or last-7-days"
        case .month, .monthOrAll: "this-month, last-month or last-12-months"
        default: nil
        }
    }

    /// The number of days or months before today that a word or a text such as `last-7-days` means.
    private static func count(_ text: String, _ words: [String: Int], unit: String) -> Int? {
        if let count = words[text] { return count }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "last", parts[2] == unit,
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(parts[1]),
            (1...maximumCount).contains(count)
        else { return nil }
        return count
    }
}
