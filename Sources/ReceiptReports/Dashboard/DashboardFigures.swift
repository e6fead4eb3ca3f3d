internal import MillSystem
internal import ReceiptFormat
internal import ReportHeaders

/// The page's first screen: the figures of the business, each with the change from the month before and a line over the
/// months.
struct DashboardFigures {
    /// The maximum number of rows that the page reads: six figures of 24 months, and some more.
    static let maximumRows = 500

    /// The figures that are shown first, in this order, even if a value is unknown.
    private static let order = [
        "recurring_revenue", "net_revenue", "active_subscriptions", "paid_churn", "trial_conversion", "refund_rate",
    ]

    /// Rows of the report `overview`.
    let section: DashboardSection
    /// The apps that the page counts.
    let apps: [CountedApp]
    /// The currency that the user chose; nil if none.
    let chosen: String?
    /// The currency into which the stored rates convert; nil without such rates.
    let stored: String?
    /// Whether amounts of other currencies are converted.
    let isConverted: Bool

    /// The currency of the page's money charts; nil if no price is known.
    var currency: String? { section.values(of: "currency").first.flatMap { CurrencyCode($0.string)?.letters } }

    /// The number of currencies that are left out.
    private var others: Int {
        Int(section.rows.compactMap { section.value(of: "other_currencies", in: $0)?.number }.max() ?? 0)
    }

    /// Whether figures may be amounts. If there are several currencies, a person has to choose one.
    private var hasAmounts: Bool { others == 0 || (chosen != nil && chosen == currency) }

    /// The share of a figure's subscriptions or sales that is left out because of other currencies; nil if none is.
    private func share(_ figure: String, _ row: [ReportValue]) -> String? {
        guard let share = section.value(of: "other_share", in: row)?.number, share > 0 else { return nil }
        let whole = figure == "recurring_revenue" ? "subscriptions" : "sales"
        return "without \(ChartText.number((share * 1000).rounded() / 1000, isShare: true)) of \(whole), "
            + "which are in other currencies"
    }

    /// A warning about the part of the newest amounts that is left out because it is in other currencies.
    var warning: ReportWarning? {
        guard let currency, others > 0 else { return nil }
        let left = Self.order.prefix(2).compactMap { figure -> String? in
            let rows = section.rows.filter { section.value(of: "figure", in: $0)?.plainText == figure }
            return rows.last { value($0) != nil }.flatMap { share(figure, $0) }
                .map { "\(ChartText.words(figure)) \($0)" }
        }
        let named = others == 1 ? "1 other currency" : "\(others) other currencies"
        return ReportWarning(
            message: (hasAmounts
                ? "the page's amounts are in \(currency)"
                : "none of \(others + 1) currencies is chosen: the page has no figures of amounts; its charts draw \(currency)")
                + " and leave out \(named)" + (left.isEmpty ? "" : ": " + left.joined(separator: "; ")),
            hint: chosen == nil && stored != nil
                ? remedy : "receiptmill refresh --rates FILE --currency \(currency) converts them", isInOutput: true)
    }

    var html: String {
        let figures = Dictionary(grouping: section.rows) { section.value(of: "figure", in: $0)?.plainText ?? "" }
        let known = section.values(of: "figure").map(\.string)
        let order = Self.order + known.filter { !Self.order.contains($0) }
        guard !known.isEmpty else {
            return "<p class=\"missing\">Nothing is known of months that are over.</p>\n"
        }
        return "<dl class=\"figures\">\n" + order.map { card($0, figures[$0] ?? []) }.joined() + "</dl>\n" + remark
    }

    private var remark: String {
        let text =
            currency.map(sentence)
            ?? "No price is known: signed data states prices, and receiptmill refresh --prices takes a list."
        return [text, counted].compactMap(\.self).map { "<p class=\"remark\">\(HTMLText.harmless($0))</p>\n" }.joined()
    }

    /// The figures' months and apps, if they are not all that the page counts.
    private var counted: String? {
        let months = section.values(of: "month").map(\.string)
        guard let first = months.min(), let last = months.max() else { return nil }
        let left = apps.filter { !$0.isInFigures }.map { "\($0.bundle) (\($0.environment))" }
        let without =
            left.isEmpty
            ? ""
            : " Left out, since their documents end earlier: \(left.prefix(Self.maximumNames).joined(separator: ", "))"
                + (left.count > Self.maximumNames ? ", … (\(left.count))." : ".")
        return "The figures are of \(first) to \(last).\(without)"
    }

    private static let maximumNames = 6

    /// Advice on how to convert amounts in other currencies.
    private var remedy: String {
        stored.map { "\(ReportCurrency.parameter)=\($0) converts others" }
            ?? "receiptmill refresh --rates FILE converts others"
    }

    private func sentence(on currency: String) -> String {
        if !hasAmounts {
            return "Amounts are in \(others + 1) currencies, of which none is chosen: "
                + (stored == currency ? "" : "\(ReportCurrency.parameter)=\(currency) shows it, and ") + "\(remedy). "
                + "Charts draw \(currency) alone, "
                + "the currency with most sales."
        }
        if isConverted, chosen != nil {
            return "Amounts are in \(currency), by the rates of their days; what has no rate is left out."
        }
        return "Amounts are in \(currency)"
            + (others > 0 ? " alone; \(remedy)." : ".")
    }

    /// The amount or the number of a row; nil if it is not yet known.
    private func value(_ row: [ReportValue]) -> ReportValue? {
        ["amount", "value"].lazy.compactMap { section.value(of: $0, in: row) }.first { $0 != .null }
    }

    private func card(_ figure: String, _ rows: [[ReportValue]]) -> String {
        let isAmount = rows.contains { section.value(of: "currency", in: $0)?.key != nil }
        if isAmount, !hasAmounts {
            return cell(figure, "–", unit: "", month: "\(others + 1) currencies, none chosen", "", line: "")
        }
        let known = rows.filter { value($0) != nil }
        guard let last = known.last, let lastValue = value(last) else {
            return cell(figure, "–", unit: "", month: "not known yet", "", line: "")
        }
        let before = known.dropLast().last.flatMap(value)
        return cell(
            figure, text(of: lastValue, figure), unit: section.value(of: "currency", in: last)?.plainText ?? "",
            month: section.value(of: "month", in: last)?.plainText ?? "",
            before.map { change(from: $0, to: lastValue) + "before " + text(of: $0, figure) } ?? "none before",
            amber: share(figure, last), line: line(known.compactMap { value($0)?.number }))
    }

    /// The change of an amount or a number from the month before, in percent, such as `▲ 53 %, `. For a share, which is
    /// a percentage itself, no change is shown.
    private func change(from before: ReportValue, to now: ReportValue) -> String {
        guard !isShare(now), let old = before.number, let new = now.number, old > 0 else { return "" }
        let percent = ((new - old) / old * 100).rounded()
        guard abs(percent) < 1000 else { return "" }
        return "\(percent > 0 ? "▲ " : percent < 0 ? "▼ " : "")\(Int(abs(percent))) %, "
    }

    private func cell(
        _ figure: String, _ text: String, unit: String, month: String, _ before: String, amber: String? = nil,
        line: String
    ) -> String {
        "<div><dt>\(HTMLText.harmless(ChartText.words(figure)))</dt><dd>\(HTMLText.harmless(text))"
            + (unit.isEmpty ? "" : " <small>\(HTMLText.harmless(unit))</small>")
            + "</dd><dd class=\"meaning\">\(HTMLText.harmless(month))<br>\(HTMLText.harmless(before))"
            + (amber.map { "<br><span class=\"amber\">\(HTMLText.harmless($0))</span>" } ?? "") + "\(line)</dd></div>\n"
    }

    private func isShare(_ value: ReportValue) -> Bool {
        if case .real(let number) = value { number.magnitude <= 1 } else { false }
    }

    /// The text of a value: an amount has at most the decimals of its currency, and none if it is large; a share is in
    /// percent.
    private func text(of value: ReportValue, _ figure: String) -> String {
        switch value {
        case .money(let amount): return amount.shortText
        case .real(let number) where figure != "active_subscriptions":
            return ChartText.number((number * 1000).rounded() / 1000, isShare: true)
        case .real(let number): return ChartText.grouped(String(Int64(number)))
        default: return value.plainText ?? "–"
        }
    }

    /// A line over the months, without axes. The last month's value is in the cell's text.
    private func line(_ numbers: [Double]) -> String {
        guard numbers.count > 1, let minimum = numbers.min(), let maximum = numbers.max() else { return "" }
        let (width, height) = (120.0, 24.0)
        let points = numbers.enumerated().map { index, number in
            let x = width * Double(index) / Double(numbers.count - 1)
            let y = maximum > minimum ? height - height * (number - minimum) / (maximum - minimum) : height / 2
            return "\((x * 10).rounded() / 10),\((y * 10).rounded() / 10)"
        }
        return "<svg class=\"spark\" viewBox=\"-2 -2 124 28\" role=\"presentation\">"
            + "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"currentColor\" "
            + "stroke-width=\"1.5\"/></svg>"
    }
}

extension MoneyAmount {
    /// The amount in short: with the decimals of its currency, from ten thousand on in whole units, and from one
    /// million on in millions.
    fileprivate var shortText: String {
        if milliunits.magnitude >= 1_000_000_000 { return ChartText.number(number, isShare: false) }
        let digits = milliunits.magnitude >= 10_000_000 ? 0 : min(digits, 3)
        let text = MoneyAmount(milliunits: milliunits, digits: digits).rounded.text
        return (text.hasPrefix("-") ? "−" : "") + ChartText.grouped(String(text.drop { $0 == "-" }))
    }
}
