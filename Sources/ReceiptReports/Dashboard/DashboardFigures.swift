/// The page's first screen: the figures of the business, each with the month before and a line of its months.
struct DashboardFigures {
    /// Rows that the page reads: six figures of 24 months, and some to spare.
    static let greatestRows = 500

    private let section: DashboardSection

    /// - Parameter section: rows of the report `overview`.
    init(_ section: DashboardSection) { self.section = section }

    var html: String {
        let figures = Dictionary(grouping: section.rows) { self[$0, "figure"]?.plainText ?? "" }
        let order = section.values(of: "figure").map(\.string)
        guard !order.isEmpty else { return "<p class=\"missing\">No month is over yet of which the database tells.</p>\n" }
        return "<dl class=\"figures\">\n" + order.map { card($0, figures[$0] ?? []) }.joined() + "</dl>\n"
    }

    private subscript(row: [ReportValue], name: String) -> ReportValue? {
        section.header.columns.firstIndex { $0.name == name }.map { row[$0] }
    }

    /// The amount or the number of a row; nil where it is not known yet.
    private func value(_ row: [ReportValue]) -> ReportValue? {
        ["amount", "value"].lazy.compactMap { self[row, $0] }.first { $0 != .null }
    }

    private func card(_ figure: String, _ rows: [[ReportValue]]) -> String {
        let known = rows.filter { value($0) != nil }
        guard let last = known.last, let lastValue = value(last) else {
            return cell(figure, "–", "not known yet", line: "")
        }
        let month = self[last, "month"]?.plainText ?? ""
        let before = known.dropLast().last.flatMap(value).map { text(of: $0, figure) } ?? "–"
        let currency = self[last, "currency"]?.plainText.map { " \($0)" } ?? ""
        return cell(
            figure, text(of: lastValue, figure) + currency, "\(month); the month before \(before)",
            line: line(known.compactMap { value($0).flatMap(Self.number) }))
    }

    private func cell(_ figure: String, _ text: String, _ meaning: String, line: String) -> String {
        "<div><dt>\(HTMLText.harmless(ChartText.words(figure)))</dt><dd>\(HTMLText.harmless(text))</dd>"
            + "<dd class=\"meaning\">\(HTMLText.harmless(meaning))\(line)</dd></div>\n"
    }

    /// A share is written in percent, a number of subscriptions whole.
    private func text(of value: ReportValue, _ figure: String) -> String {
        guard case .real(let number) = value else { return value.plainText ?? "–" }
        guard figure == "active_subscriptions" else {
            let thousandths = (number * 1000).rounded()
            return "\(Int64(thousandths / 10)).\(Int64(abs(thousandths)) % 10) %"
        }
        return ChartText.grouped(String(Int64(number)))
    }

    private static func number(_ value: ReportValue) -> Double? {
        switch value {
        case .money(let amount): amount.number
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    /// A line of the months, without axes: the cell says the last of them.
    private func line(_ numbers: [Double]) -> String {
        guard numbers.count > 1, let least = numbers.min(), let greatest = numbers.max() else { return "" }
        let (width, height) = (120.0, 24.0)
        let points = numbers.enumerated().map { index, number in
            let x = width * Double(index) / Double(numbers.count - 1)
            let y = greatest > least ? height - height * (number - least) / (greatest - least) : height / 2
            return "\((x * 10).rounded() / 10),\((y * 10).rounded() / 10)"
        }
        return "<svg class=\"spark\" viewBox=\"-2 -2 124 28\" role=\"presentation\">"
            + "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"/></svg>"
    }
}
