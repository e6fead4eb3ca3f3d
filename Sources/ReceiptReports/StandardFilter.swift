internal import GRDB
internal import MillDatabase
internal import ReceiptSQL
package import ReportHeaders

/// A view whose rows are limited by parameters, for every report that reads the view. Each filter is a file of
/// `sql/filters` with one SELECT, preceded by comments with a section of parameters as in reports.
///
/// A run stores the rows of the SELECT in a temporary table, which hides the view from the report's statement. Reports
/// don't declare the parameters of filters, so a report's file counts everything if another program runs it.
struct StandardFilter: Sendable {
    /// The name of the view, and of the temporary table that hides the view.
    let view: String
    let parameters: [ReportParameter]
    let sql: String

    /// The filters in the order in which a run applies them; the filter of months reads the filtered apps.
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

    /// Creates the filter's temporary table again; the table of an earlier run on the connection is dropped.
    ///
    /// - Parameter run: the run whose statement reads the view; nil leaves the view visible.
    func apply(_ run: ReportRun?, on connection: Database) throws {
        let isOfRates = view == ReportCurrency.view
        // Computing rates takes long, so a report that reads none leaves their table for the next report.
        if isOfRates, try run?.hasItsRates(on: connection) ?? true { return }
        try connection.execute(sql: "DROP TABLE IF EXISTS temp.\(view)")
        guard let run else { return }
        if isOfRates, try run.takesStoredRates(on: connection) { return }
        let arguments = parameters.map { ($0.name, run.filterValue(of: $0)?.databaseValue ?? .null) }
        try connection.execute(
            sql: "CREATE TEMP TABLE \(view) AS \(sql)",
            arguments: StatementArguments(Dictionary(uniqueKeysWithValues: arguments)))
        if isOfRates { try run.completeRates(on: connection) }
    }
}

extension Report {
    /// The filters of the views that the statement reads.
    var filters: [StandardFilter] {
        let tables = TableNames.read(by: sql)
        return StandardFilter.all.filter { tables.contains($0.view) }
    }

    /// The parameters that can be set: those of the filters and those in the header.
    package var parameters: [ReportParameter] { parameters(of: filters) }

    func parameters(of filters: [StandardFilter]) -> [ReportParameter] {
        let declared = Set(header.parameters.map(\.name))
        return filters.flatMap(\.parameters).filter { !declared.contains($0.name) } + header.parameters
    }

    /// The view that a parameter filters; nil if the statement itself reads the parameter.
    package func view(filteredBy parameter: ReportParameter) -> String? {
        guard !header.parameters.contains(where: { $0.name == parameter.name }) else { return nil }
        return filters.first { $0.parameters.contains { $0.name == parameter.name } }?.view
    }
}

extension ReportRun {
    /// The value that a filter's parameter gets: `all` if the statement declares the parameter and so filters itself. A
    /// currency is passed on in any case.
    fileprivate func filterValue(of parameter: ReportParameter) -> ReportValue? {
        let isDeclared = report.header.parameters.contains { $0.name == parameter.name }
        return isDeclared && parameter.kind != .currency ? .text("all") : values[parameter.name]
    }

    /// Creates the temporary tables of all filters whose views the statement reads.
    func applyFilters(on connection: Database) throws {
        let read = Set(filters.map(\.view))
        for filter in StandardFilter.all { try filter.apply(read.contains(filter.view) ? self : nil, on: connection) }
        try Earnings.apply(readsEarnings ? self : nil, on: connection)
    }
}
