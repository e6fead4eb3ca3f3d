internal import MillSystem
internal import ReceiptSQL

/// Thresholds of fraud signals that the user has set. The view `signal_settings` states their names, defaults and
/// meanings.
package struct SignalThresholds: Sendable {
    /// Values by name; absent thresholds have their defaults.
    package var values: [String: Int] = [:]

    package init() {}

    package struct Known: Sendable {
        package let name: String
        package let value: Int
        package let unit: String
        package let meaning: String

        /// The allowed values. A count below two does not indicate fraud: one device shares nothing, and one submission
        /// is no burst.
        package var range: ClosedRange<Int> { (["days", "seconds"].contains(unit) ? 0 : 2)...1_000_000_000 }
    }

    /// The fault of a threshold that was set by SQL; nil if the value would be valid in a pipeline file.
    package static func offence(of name: String, value: Int64) -> String? {
        guard let threshold = known.first(where: { $0.name == name }) else {
            let near = nearestNames(to: name, among: known.map(\.name), limit: 1).first
            return "\(name) is no threshold\(near.map { ", \($0) is" } ?? "")"
        }
        let range = threshold.range
        guard range.lowerBound > value || range.upperBound < value else { return nil }
        return "\(name) is \(value), and not from \(range.lowerBound) to \(range.upperBound) \(threshold.unit)"
    }

    /// The defaults, from the view's text, which has them as rows of `('name', 1, 'unit', 'meaning')`.
    ///
    /// The text is compiled into the binary. If it has no rows of this form, the process ends, because no threshold
    /// could be read or checked.
    package static let known: [Known] = {
        let view = SQLFile.all.first { $0.path == "views/signal_settings.sql" }?.text ?? ""
        let rows = view.matches(of: /\('(\w+)', (\d+), '(\w+)', '((?:[^']|'')+)'\)/).compactMap { row in
            Int(row.2).map {
                Known(
                    name: String(row.1), value: $0, unit: String(row.3),
                    meaning: String(row.4).replacing("''", with: "'"))
            }
        }
        precondition(
            !rows.isEmpty && rows.count == view.matches(of: /\('/).count, "views/signal_settings.sql has other rows")
        return rows
    }()
}
