internal import Foundation
internal import MillSystem

/// The line that shows a ``ProgressState`` in a terminal of a given width.
package enum ProgressText {
    /// A part of the line. If not all parts fit, the least useful is left out first.
    private struct Part {
        let text: String
        let use: Use
    }

    /// The usefulness of the parts, the least useful first.
    private enum Use: Int { case place, known, lines, name, new, rejected, rate, left, share }

    /// A long name is cut to this number of columns before another part is left out.
    private static let minimumName = 16
    private static let gap = "  "

    /// - Parameter width: the terminal's width in columns. The last column is left empty, because some terminals begin
    ///   a new line after a character in it.
    package static func line(_ state: ProgressState, width: Int) -> String {
        let maximum = max(width - 1, 1)
        var parts = parts(of: state)
        while parts.count > 1, length(of: parts.map { $0.use == .name ? cut($0) : $0 }) > maximum,
            let minimum = parts.indices.min(by: { parts[$0].use.rawValue < parts[$1].use.rawValue })
        {
            parts.remove(at: minimum)
        }
        if let name = parts.firstIndex(where: { $0.use == .name }) {
            let others = length(of: parts) - TerminalText.width(of: parts[name].text)
            parts[name] = cut(parts[name], to: max(maximum - others, 1))
        }
        return TerminalText.cut(parts.map(\.text).joined(separator: gap), to: maximum)
    }

    private static func parts(of state: ProgressState) -> [Part] {
        var parts: [Part] = []
        func add(_ text: String?, _ use: Use) { if let text { parts.append(Part(text: text, use: use)) } }
        if state.place > 0 { add("\(state.place)\(state.places.map { "/\($0)" } ?? "")", .place) }
        if !state.name.isEmpty { add(TerminalText.harmless(state.name), .name) }
        add(state.share.map { "\(Int((min(max($0, 0), 1) * 100).rounded(.down))) %" }, .share)
        add(state.lines.map { "\(grouped($0)) lines" }, .lines)
        add(state.rate.map { "\(grouped(Int(max($0, 0).rounded()))) lines/s" }, .rate)
        add(state.newReceipts.map { "\(grouped($0)) new" }, .new)
        add(state.knownReceipts.map { "\(grouped($0)) known" }, .known)
        add(state.rejected.map { "\(grouped($0)) rejected" }, .rejected)
        add(state.secondsLeft.map { "\(duration($0)) left" }, .left)
        return parts
    }

    private static func cut(_ part: Part, to columns: Int = minimumName) -> Part {
        Part(text: TerminalText.cut(part.text, to: columns), use: part.use)
    }

    private static func length(of parts: [Part]) -> Int {
        parts.reduce(gap.utf8.count * (parts.count - 1)) { $0 + TerminalText.width(of: $1.text) }
    }

    /// A number with commas between groups of three digits.
    static func grouped(_ number: Int) -> String { number.formatted(.number.locale(Locale(identifier: "en_US"))) }

    /// A duration in its two largest units, rounded up, so that it is zero only when all is done.
    static func duration(_ seconds: Double) -> String {
        // The bound of many years keeps the number within an integer's range.
        let whole = Int(min(max(seconds, 0), 1e9).rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole % 3600 / 60) min"
    }
}
