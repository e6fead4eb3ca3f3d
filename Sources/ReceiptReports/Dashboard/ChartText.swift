internal import Foundation
internal import ReportHeaders

/// Numbers and names as people read them on a chart.
enum ChartText {
    /// A number as `12,500`, `1.5 M` or `0.25`; a share as `12.5 %`.
    static func number(_ value: Double, isShare: Bool) -> String {
        if isShare { return trimmed(value * 100, places: 1) + " %" }
        switch abs(value) {
        case 1e15...: return String(format: "%.2g", value)
        case 1e9...: return trimmed(value / 1e9, places: 2) + " G"
        case 1e6...: return trimmed(value / 1e6, places: 2) + " M"
        case 1e3...: return grouped(trimmed(value, places: 0))
        default: return trimmed(value, places: 2)
        }
    }

    /// A share in whole percent.
    static func percent(_ share: Double) -> String { String(format: "%.0f %%", share * 100) }

    /// The text of a table's cell: numbers with groups of three digits, shares in percent.
    static func cell(_ value: ReportValue, of column: ReportColumn) -> String {
        switch (value, column.kind) {
        case (.integer(let number), .integer): grouped(String(number))
        case (.money(let amount), _): grouped(amount.rounded.text)
        case (.real(let share), .share) where share.isFinite: number(share, isShare: true)
        default: value.plainText ?? "–"
        }
    }

    /// A column's name in words.
    static func words(_ name: String) -> String { name.replacing("_", with: " ") }

    /// A text of limited length, with its middle left out: product identifiers begin alike and differ at their end, and
    /// names of archives differ at their beginning.
    ///
    /// The length is counted in Unicode scalars, because a single grapheme may be as long as the text.
    static func cut(_ text: String, to count: Int) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > count else { return text }
        let kept = max(1, count - 1)
        return String(scalars.prefix(kept / 3)) + "…" + String(scalars.suffix(kept - kept / 3))
    }

    private static func trimmed(_ value: Double, places: Int) -> String {
        var text = String(format: "%.\(places)f", value)
        while text.contains("."), let last = text.last, last == "0" || last == "." { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// A number with commas between groups of three digits before the decimal point.
    static func grouped(_ number: String) -> String {
        let digits = number.prefix { $0 != "." }
        return digits.enumerated().reduce(into: "") { text, next in
            if (digits.count - next.offset) % 3 == 0, text.last?.isNumber == true { text += "," }
            text.append(next.element)
        } + number.dropFirst(digits.count)
    }
}
