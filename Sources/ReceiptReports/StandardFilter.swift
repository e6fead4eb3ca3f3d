internal import GRDB
internal import MillDatabase
internal import ReceiptSQL
package import ReportHeaders

/// A view that reports read as far as it is asked for, with the parameters that say so: a file of `sql/filters`,
/// one SELECT under comments with a section of parameters as a report has it.
///
/// A run works the SELECT out into a temporary table, which hides the view from the report's statement alone. Reports
/// don't declare these parameters, and their files count everything where another program runs them.
struct StandardFilter: Sendable {
    /// The view's name, and the table's that hides it.
    let view: String
    let parameters: [ReportParameter]
    let sql: String

    /// In the order in which they are worked out: the months to count by depend on the apps that are counted.
    static let all = SQLFile.files(in: "filters").compactMap { try? StandardFilter($0) }

    init(_ file: SQLFile) throws(MalformedReportHeader) {
        view = file.name
        sql = file.text
        let sections = HeaderSections(lines: ReportHeader.commentLines(of: file.text))
        let (parameters, lines) = try sections.values(
            of: .parameters, ReportParameter.init(parsing:), named: { "parameter :\($0.name)" })
        try ReportParameter.checkBounds(parameters, lines: lines)
        self.parameters = parameters
    }

    /// Works out the table; of one that an earlier run left on the connection nothing stays.
    ///
    /// - Parameter run: whose statement reads the view; nil lets the view be seen again.
    func apply(_ run: ReportRun?, on connection: Database) throws {
        try connection.execute(sql: "DROP TABLE IF EXISTS temp.\(view)")
        guard let run else { return }
        let arguments = parameters.map { ($0.name, run.filterValue(of: $0)?.databaseValue ?? .null) }
        try connection.execute(
            sql: "CREATE TEMP TABLE \(view) AS \(sql)",
            arguments: StatementArguments(Dictionary(uniqueKeysWithValues: arguments)))
        if view == RateList.view, let rates = run.rates { try rates.offerConverting(run, on: connection) }
    }
}

extension Report {
    /// The filters of the views that the statement reads.
    var filters: [StandardFilter] {
        let tables = TableNames.read(by: sql)
        return StandardFilter.all.filter { tables.contains($0.view) }
    }

    /// What can be set: the parameters of the views that every run filters alike, and those that the header declares.
    package var parameters: [ReportParameter] { parameters(of: filters) }

    func parameters(of filters: [StandardFilter]) -> [ReportParameter] {
        let declared = Set(header.parameters.map(\.name))
        return filters.flatMap(\.parameters).filter { !declared.contains($0.name) } + header.parameters
    }

    /// The view that a parameter filters; nil for a parameter of the statement's own.
    package func view(filteredBy parameter: ReportParameter) -> String? {
        guard !header.parameters.contains(where: { $0.name == parameter.name }) else { return nil }
        return filters.first { $0.parameters.contains { $0.name == parameter.name } }?.view
    }
}

extension ReportRun {
    /// What a filter's parameter is bound to; a statement that declares the parameter filters by itself.
    fileprivate func filterValue(of parameter: ReportParameter) -> ReportValue? {
        let isDeclared = report.header.parameters.contains { $0.name == parameter.name }
        return isDeclared && parameter.kind != .currency ? .text("all") : values[parameter.name]
    }

    /// Lets the statement see what it reads as far as it is asked for.
    func applyFilters(on connection: Database) throws {
        let read = Set(filters.map(\.view))
        for filter in StandardFilter.all { try filter.apply(read.contains(filter.view) ? self : nil, on: connection) }
    }
}
