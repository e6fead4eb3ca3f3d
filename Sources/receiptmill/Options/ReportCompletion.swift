internal import ReceiptReports
internal import ReportHeaders

/// Words that a shell offers after `receiptmill report`.
enum ReportCompletion {
    static var names: [String] { ReportCatalog().names }

    /// Words after `--param`: the parameters of the built-in report that is among the words typed so far. A parameter
    /// with a closed set of values is offered with each value.
    static func settings(for words: [String]) -> [String] {
        let catalog = ReportCatalog()
        let report = words.lazy.drop { $0 != "report" }.dropFirst().compactMap { try? catalog.report(named: $0) }.first
        return (report?.parameters ?? []).flatMap { parameter in
            guard case .values(let values) = parameter.range else { return ["\(parameter.name)="] }
            return values.map { "\(parameter.name)=\($0)" }
        }
    }
}
