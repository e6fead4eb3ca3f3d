internal import GRDB
internal import ReceiptSQL

/// The rows that a report about one case needs: those that decide what it says of it.
/// A file of `sql/cases` gathers them.
///
/// Temporary tables with these rows hide the loader's tables, and the views are
/// recreated over them. The report and its answer stay the same.
struct CaseScope {
    /// The parameter that names the case; a report that requires it is about that case
    /// alone.
    static let parameter = "case"
    /// The file about any case.
    static let general = "any-case"

    let name: String
    /// Gathers the rows: that of the report's name, else the one about any case.
    let file: SQLFile

    /// The warning where a report finds nothing of the case.
    var unknown: ReportWarning {
        ReportWarning(
            what: "the database holds nothing of \(name)",
            hint: file.name == Self.general
                ? "a case is a device, an account, a receipt's SHA-256 in lowercase or a transaction, each written whole"
                : "an owner is an account, or a device that names none, written whole; "
                    + "--param environment=all asks of the sandbox, too")
    }

    func narrow(_ connection: Database) throws {
        try connection.execute(sql: "CREATE TEMP TABLE this AS SELECT ? AS name", arguments: [name])
        try connection.execute(sql: file.text)
        try TemporaryViews.recreate(in: connection)
    }
}

extension ReportRun {
    /// The case that the report is about, nil if it is about the whole database.
    var scope: CaseScope? {
        let required = report.header.parameters.filter(\.isRequired).map(\.name)
        let files = SQLFile.files(in: "cases")
        let own = files.first { $0.name == report.name }
        let subject = own == nil ? required.first { $0 == CaseScope.parameter } : required.first
        guard let subject, case .text(let name)? = values[subject],
            let file = own ?? files.first(where: { $0.name == CaseScope.general })
        else { return nil }
        return CaseScope(name: name, file: file)
    }
}
