internal import Foundation

/// Formats numbers, sizes and times for the screen.
enum Wording {
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    static func bytes(_ bytes: Int64) -> String {
        let units = ["kB", "MB", "GB", "TB"]
        guard bytes >= 1000 else { return "\(bytes) B" }
        var (value, unit) = (Double(bytes) / 1000, 0)
        while value >= 999.5, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
        return String(format: value < 9.95 ? "%.1f" : "%.0f", value) + " \(units[unit])"
    }

    /// - Parameter milliseconds: a duration, which is negative if a clock was fast.
    static func duration(_ milliseconds: Int64) -> String {
        let minutes = max(milliseconds, 0) / 60_000
        if minutes < 2 { return "\(max(milliseconds, 0) / 1000) s" }
        if minutes < 120 { return "\(minutes) min" }
        return minutes < 48 * 60 ? "\(minutes / 60) h" : "\(minutes / (24 * 60)) days"
    }

    static func ago(_ milliseconds: Int64) -> String {
        milliseconds < -60_000 ? "in the future" : "\(duration(milliseconds)) ago"
    }

    /// - Parameter milliseconds: milliseconds since 1970.
    static func date(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds / 1000)).ISO8601Format()
    }
}
