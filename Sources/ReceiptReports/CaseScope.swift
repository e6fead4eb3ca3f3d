internal import GRDB
internal import ReceiptSQL

/// The rows that a report about one case needs: the case, and what decides which
/// signals its lines show.
///
/// Temporary tables with these rows hide the loader's tables, and the views are
/// recreated over them. The report and its answer stay the same.
struct CaseScope {
    /// The parameter that names the case; a report that requires it is about that case
    /// alone.
    static let parameter = "case"

    let name: String

    /// The warning where a report finds nothing of the case.
    var unknown: ReportWarning {
        ReportWarning(
            what: "the database holds nothing of \(name)",
            hint:
                "a case is a device, an account, a receipt's SHA-256 in lowercase or a transaction, each written whole")
    }

    func narrow(_ connection: Database) throws {
        try connection.execute(sql: "CREATE TEMP TABLE this AS SELECT ? AS name", arguments: [name])
        for file in SQLFile.files(in: "cases") { try connection.execute(sql: file.text) }
        try TemporaryViews.recreate(in: connection)
    }
}

extension ReportRun {
    /// The case that the report is about, nil if it is about the whole database.
    var scope: CaseScope? {
        let isAsked = report.header.parameters.contains { $0.name == CaseScope.parameter && $0.isRequired }
        guard isAsked, case .text(let name)? = values[CaseScope.parameter] else { return nil }
        return CaseScope(name: name)
    }
}
