internal import ReceiptReports
internal import ReportHeaders

/// Words that a shell offers after `receiptmill report`. No database is opened to find them.
enum ReportCompletion {
    /// The names of reports; after a name, the report's parameters.
    static func words(behind words: [String], typed: String) -> [String] {
        let catalog = ReportCatalog()
        // The word being typed may already be a whole name.
        let isNamed = report(in: words.filter { $0 != typed }) != nil
        return isNamed ? settings(for: words, typed: typed) : catalog.names + catalog.aliases.keys.sorted()
    }

    /// Words after `--param`: the parameters of the report that is among the words typed so far. Each value is offered
    /// with its parameter's name: values of a closed set at once, others once the name is typed.
    ///
    /// - Parameter typed: the part of the current word that is typed.
    static func settings(for words: [String], typed: String) -> [String] {
        (report(in: words)?.parameters ?? []).flatMap { parameter in
            let name = "\(parameter.name)="
            if case .values(let values) = parameter.range { return values.map { name + $0 } }
            let examples = typed.hasPrefix(name) ? examples(of: parameter) : []
            return examples.isEmpty ? [name] : examples.map { name + $0 }
        }
    }

    /// Words after `--columns`: the columns of the report, appended to those typed so far.
    static func columns(for words: [String], typed: String) -> [String] {
        let columns = report(in: words)?.header.columns.map(\.name) ?? []
        let chosen = typed.split(separator: ",", omittingEmptySubsequences: false).dropLast().map(String.init)
        let former = chosen.map { "\($0)," }.joined()
        return (chosen.isEmpty ? ["all"] : []) + columns.filter { !chosen.contains($0) }.map { former + $0 }
    }

    private static func report(in words: [String]) -> Report? {
        let catalog = ReportCatalog()
        return words.lazy.drop { $0 != "report" }.dropFirst().filter { !$0.hasPrefix("-") }
            .compactMap { try? catalog.report(named: $0) }.first
    }

    /// An integer parameter's values are offered singly only if there are at most this many.
    private static let maximumCount: Int64 = 12

    private static func examples(of parameter: ReportParameter) -> [String] {
        let usual = parameter.defaultText.map { [$0] } ?? []
        switch parameter.kind {
        case .date: return usual + ["today", "yesterday", "last-7-days", "last-30-days"]
        case .month: return usual + ["this-month", "last-month", "last-12-months"]
        case .monthOrAll: return ["this-month", "last-month", "last-12-months", "all"]
        case .environments: return ["Production", "Sandbox", "all"]
        case .bundle: return ["all"]
        case .currency: return ["EUR", "GBP", "JPY", "USD"]
        case .integer:
            guard case .bounds(.value(let minimum)?, .value(let maximum)?) = parameter.range,
                let first = Int64(minimum), let last = Int64(maximum), last - first < maximumCount
            else { return usual }
            return (first...last).map(String.init)
        case .real, .text, .texts: return usual
        }
    }
}
