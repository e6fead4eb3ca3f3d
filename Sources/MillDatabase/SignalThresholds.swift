internal import GRDB
internal import MillSystem
internal import ReceiptSQL

/// Thresholds of fraud signals that the user sets. Their names, defaults and
/// meanings are those of the view `signal_settings`.
package struct SignalThresholds: Sendable {
    /// Values by name; those that are absent have their defaults.
    package var values: [String: Int] = [:]

    package init() {}

    package struct Known: Sendable {
        package let name: String
        package let value: Int
        package let unit: String
        package let meaning: String

        /// One device shares nothing, and one submission is no burst.
        package var range: ClosedRange<Int> { (["days", "seconds"].contains(unit) ? 0 : 2)...1_000_000_000 }
    }

    /// What is wrong with a threshold that was set by SQL; nil if it is one
    /// that a pipeline file could set.
    package static func offence(of name: String, value: Int64) -> String? {
        guard let threshold = known.first(where: { $0.name == name }) else {
            let near = nearestNames(to: name, among: known.map(\.name), limit: 1).first
            return "\(name) is no threshold\(near.map { ", \($0) is" } ?? "")"
        }
        let range = threshold.range
        guard range.lowerBound > value || range.upperBound < value else { return nil }
        return "\(name) is \(value), and not from \(range.lowerBound) to \(range.upperBound) \(threshold.unit)"
    }

    /// Read from the view itself. Empty only if the view's text is faulty.
    package static let known: [Known] = {
        guard let view = SQLFile.all.first(where: { $0.path == "views/signal_settings.sql" }) else { return [] }
        let rows = try? DatabaseQueue().write { db in
            try db.execute(sql: "CREATE TABLE signal_setting (name TEXT, value INTEGER)")
            try db.execute(sql: view.text)
            return try Row.fetchAll(db, sql: "SELECT name, value, unit, meaning FROM signal_settings").map {
                Known(name: $0[0], value: $0[1], unit: $0[2], meaning: $0[3])
            }
        }
        return rows ?? []
    }()
}
