internal import GRDB
internal import GRDBSQLite
internal import MillDatabase
internal import MillSystem
internal import ReportHeaders

/// A report's SQL, compiled and checked against its header.
struct ReportStatement {
    let statement: Statement

    /// Compiles a report, which has to be one SELECT with the columns and parameters of the header.
    ///
    /// - Throws: ``MillError`` with the line of the fault.
    init(_ report: Report, in database: Database) throws {
        let tokens = Array(SQLTokenizer(report.sql))
        try Self.checkIsSelect(tokens, of: report)
        do {
            statement = try database.makeStatement(sql: report.sql)
        } catch let error as DatabaseError {
            throw Self.fault(in: report, error, atOffset: Int(sqlite3_error_offset(database.sqliteConnection)))
        }
        guard statement.isReadonly, sqlite3_column_count(statement.sqliteStatement) > 0 else {
            throw report.origin.fault(
                line: tokens.first?.line, "the statement is no query",
                hint: "a report is one SELECT; it changes nothing")
        }
        try Self.checkColumns(of: statement, against: report)
        try Self.checkParameters(of: statement, tokens, against: report)
    }

    private static func checkIsSelect(_ tokens: [SQLToken], of report: Report) throws {
        guard let first = tokens.first else {
            throw report.origin.fault(
                line: report.header.lineCount, "there is no statement below the header", hint: "write one SELECT there")
        }
        guard ["select", "with"].contains(where: first.isName) else {
            throw report.origin.fault(
                line: first.line, "the statement does not start with SELECT or WITH",
                hint: "a report is one SELECT; it changes nothing")
        }
        let isEnd = { (token: SQLToken) in token.kind == .sign && token.text == ";" }
        if let second = tokens.drop(while: { !isEnd($0) }).first(where: { !isEnd($0) }) {
            throw report.origin.fault(
                line: second.line, "the file holds more than one statement",
                hint: "a report is one SELECT; split the file")
        }
    }

    private static func checkColumns(of statement: Statement, against report: Report) throws {
        let declared = report.header.columns.map(\.name)
        let selected = statement.columnNames
        guard declared != selected else { return }
        let index = zip(declared, selected).prefix { $0 == $1 }.count
        let lines = report.header.columnLines
        throw report.origin.fault(
            line: lines.dropFirst(index).first ?? lines.last,
            "the header's columns are \(declared.joined(separator: ", ")); "
                + "the statement's are \(selected.joined(separator: ", "))",
            hint: "list under Columns what the statement selects, in its order and by the names after AS")
    }

    private static func checkParameters(of statement: Statement, _ tokens: [SQLToken], against report: Report) throws {
        let declared = report.header.parameters.map { ":" + $0.name }
        let bound = tokens.filter { $0.kind == .parameter }
        if let other = bound.first(where: { !$0.text.hasPrefix(":") }) {
            let name = other.text.drop { !$0.isLetter }
            throw report.origin.fault(
                line: other.line, "the statement has the parameter \(other.text), which does not begin with a colon",
                hint: "write :\(name.isEmpty ? "name" : name), and describe it under Parameters")
        }
        if let unknown = bound.first(where: { !declared.contains($0.text) }) {
            throw report.origin.fault(
                line: unknown.line, "the header does not describe the parameter \(unknown.text)",
                hint: "describe it under Parameters: \(unknown.text)  type  default  meaning")
        }
        let names = Set(bound.map(\.text))
        if let unused = declared.indices.first(where: { !names.contains(declared[$0]) }) {
            throw report.origin.fault(
                line: report.header.parameterLines[unused],
                "the statement does not use the parameter \(declared[unused])",
                hint: "use it, or take it out of the header")
        }
        // If SQLite counts other parameters than the tokenizer found, it has split the statement differently.
        let count = sqlite3_bind_parameter_count(statement.sqliteStatement)
        guard count == names.count else {
            throw report.origin.fault(
                line: bound.first?.line,
                "the statement has \(count) parameters, and \(names.count) can be distinguished",
                hint: "write each as a colon and a name in lower-snake-case")
        }
    }

    /// A failure to compile or run the SQL. Its line is that of SQLite's offset if known, else that of the name in the
    /// message, else the statement's first line.
    ///
    /// - Parameter offset: the offset at which the SQL does not compile, negative if unknown; nil if the SQL failed
    ///   while it ran.
    static func fault(in report: Report, _ error: DatabaseError, atOffset offset: Int? = nil) -> MillError {
        let what = error.message ?? error.resultCode.description
        let tokens = Array(SQLTokenizer(report.sql))
        let name = what.split(separator: ": ").last.flatMap { $0.split(separator: ".").last }
        let named = name.flatMap { name in tokens.first { $0.isName(String(name)) } }
        let token = what == "incomplete input" ? tokens.last : named ?? tokens.first
        let isPlaced = offset.map { $0 >= 0 } ?? false
        let line = isPlaced ? report.sql.utf8.prefix(offset ?? 0).count { $0 == 0x0a } + 1 : token?.line
        // A built-in report compiles if the database has the views of this version.
        let isMissing =
            offset != nil || ["main.", "internal_"].contains { what.hasPrefix("no such table: \($0)") }
        let isOlder = isMissing && error.resultCode == .SQLITE_ERROR && report.origin.isBuiltIn
        guard isOlder else {
            return report.origin.fault(
                line: line, what, hint: "a report reads the views; .schema in the sqlite3 shell shows them")
        }
        // The database is too old, and the report has no fault. So the status is the one that other commands have for
        // an older database.
        return MillError(
            stage: .reporting, path: report.origin.path, line: line, what: what,
            hint: ReadOnlyDatabase.hintOnOlderVersion, exitStatus: .cannotCreate)
    }
}
