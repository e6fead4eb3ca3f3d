internal import GRDB
internal import GRDBSQLite

/// A report's SQL, compiled and held against its header.
struct ReportStatement {
    let statement: Statement

    /// Compiles a report and checks that it is one SELECT whose columns and
    /// parameters are the header's.
    ///
    /// - Throws: ``MillError`` with the line, if it is not.
    init(_ report: Report, in database: Database) throws {
        try Self.checkIsSelect(report)
        do {
            statement = try database.makeStatement(sql: report.sql)
        } catch let error as DatabaseError {
            let offset = Int(sqlite3_error_offset(database.sqliteConnection))
            throw Self.fault(in: report, error, atOffset: offset)
        }
        guard statement.isReadonly, sqlite3_column_count(statement.sqliteStatement) > 0 else {
            throw report.fault(
                line: report.header.lineCount + 1, "the statement is no query",
                hint: "a report is one SELECT; it changes nothing")
        }
        try Self.checkColumns(of: statement, against: report)
        try Self.checkParameters(of: statement, against: report)
    }

    private static func checkIsSelect(_ report: Report) throws {
        let body = report.sql.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated().dropFirst(report.header.lineCount)
        let first = body.first {
            let text = $0.element.drop(while: \.isWhitespace)
            return !text.isEmpty && !text.hasPrefix("--")
        }
        guard let first else {
            throw report.fault(
                line: nil, "there is no statement below the header", hint: "write one SELECT there")
        }
        let word = first.element.drop(while: \.isWhitespace).prefix(while: \.isLetter).uppercased()
        guard word == "SELECT" || word == "WITH" else {
            throw report.fault(
                line: first.offset + 1, "the statement does not start with SELECT or WITH",
                hint: "a report is one SELECT; it changes nothing")
        }
    }

    private static func checkColumns(of statement: Statement, against report: Report) throws {
        let declared = report.header.columns.map(\.name)
        guard statement.columnNames != declared else { return }
        throw report.fault(
            line: nil,
            "the header's columns are \(declared.joined(separator: ", ")); "
                + "the statement's are \(statement.columnNames.joined(separator: ", "))",
            hint: "list under Columns what the statement selects, in its order")
    }

    private static func checkParameters(of statement: Statement, against report: Report) throws {
        let count = sqlite3_bind_parameter_count(statement.sqliteStatement)
        let bound = try (0..<count).map { index in
            guard let name = sqlite3_bind_parameter_name(statement.sqliteStatement, index + 1) else {
                throw report.fault(
                    line: nil, "the statement has a parameter without a name",
                    hint: "write :name in place of ?, and describe it under Parameters")
            }
            return String(cString: name)
        }
        let declared = report.header.parameters.map { ":" + $0.name }
        if let unknown = bound.first(where: { !declared.contains($0) }) {
            throw report.fault(
                line: line(of: unknown, in: report), "the header does not describe the parameter \(unknown)",
                hint: "describe it under Parameters: \(unknown)  type  default  meaning")
        }
        if let unused = declared.first(where: { !bound.contains($0) }) {
            throw report.fault(
                line: nil, "the statement does not use the parameter \(unused)",
                hint: "use it, or take it out of the header")
        }
    }

    /// A failure to compile or run the SQL, with its line where SQLite knows it.
    static func fault(in report: Report, _ error: DatabaseError, atOffset offset: Int) -> MillError {
        let what = error.message ?? error.resultCode.description
        let isSeveral = error.resultCode == .SQLITE_MISUSE
        return report.fault(
            line: offset < 0 ? nil : report.sql.utf8.prefix(offset).count(where: { $0 == 0x0a }) + 1,
            isSeveral ? "the file holds more than one statement" : what,
            hint: isSeveral
                ? "a report is one SELECT; split the file"
                : "a report reads the views; .schema in the sqlite3 shell shows them")
    }

    /// The line below the header on which a text first stands.
    private static func line(of text: String, in report: Report) -> Int? {
        report.sql.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .dropFirst(report.header.lineCount)
            .first { $0.element.contains(text) }
            .map { $0.offset + 1 }
    }
}
