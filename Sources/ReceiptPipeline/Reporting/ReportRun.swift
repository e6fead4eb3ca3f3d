internal import GRDB
internal import GRDBSQLite

/// A report to be run on a database, its parameters read and checked.
public struct ReportRun: Sendable {
    /// Text is handed on whenever this much has gathered.
    static let flushBytes = 64 * 1024

    public let report: Report
    /// Values by parameter name; a parameter that is not in here is null, for
    /// which the statement holds its default.
    public let values: [String: ReportValue]
    /// Prices by product, for reports that ask for money.
    public var prices: PriceList?
    /// How long the query may take; nil for as long as it takes.
    public var timeoutSeconds: Double?

    /// - Parameters:
    ///   - settings: names and texts as a user gave them, in order.
    ///   - subject: the text that stands for the first parameter that a value
    ///     has to be given for.
    /// - Throws: ``MillError`` if a name is unknown, given twice or missing, or a
    ///   text is not of the parameter's type.
    public init(_ report: Report, settings: [(name: String, text: String)] = [], subject: String? = nil) throws {
        self.report = report
        var settings = settings
        let required = report.header.parameters.filter(\.isRequired)
        if let subject {
            guard let first = required.first else {
                throw Self.misuse(
                    "the report \(report.name) asks for nothing behind its name, but \(subject) stands there",
                    hint: "set parameters with --param NAME=VALUE")
            }
            settings.append((first.name, subject))
        }
        var values: [String: ReportValue] = [:]
        for setting in settings {
            let value = try Self.value(of: setting.text, for: setting.name, in: report)
            guard values.updateValue(value, forKey: setting.name) == nil else {
                throw Self.misuse("the parameter \(setting.name) is given twice", hint: "give each once")
            }
        }
        if let missing = required.first(where: { values[$0.name] == nil }) {
            throw Self.misuse(
                "the report \(report.name) needs \(missing.name)",
                hint: "give the \(missing.meaning): --param \(missing.name)=…")
        }
        self.values = values
    }

    /// The value of a parameter as a user gave it.
    ///
    /// - Throws: ``MillError`` if the report has no such parameter, or the text is
    ///   not of its type.
    static func value(of text: String, for name: String, in report: Report) throws(MillError) -> ReportValue {
        guard let parameter = report.header.parameters.first(where: { $0.name == name }) else {
            throw unknown(name, in: report)
        }
        guard let value = parameter.kind.value(of: text) else {
            throw misuse(
                "\(name)=\(text): the value is not \(parameter.kind.described)",
                hint: "\(name) is the \(parameter.meaning)")
        }
        return value
    }

    /// Runs the report and writes the result as text.
    ///
    /// Rows pass one by one; memory does not grow with the result.
    ///
    /// - Parameters:
    ///   - path: the database, opened for reading only.
    ///   - format: how rows become text.
    ///   - sink: takes the text, some tens of kilobytes at a time. What it
    ///     throws ends the run and is thrown on.
    /// - Returns: the number of rows.
    /// - Throws: ``MillError`` if the database can't be read, or if the report
    ///   is not what its header says.
    @discardableResult
    public func write(
        fromDatabase path: String, as format: ReportFormatName, layout: TableLayout = TableLayout(),
        to sink: (String) throws -> Void
    ) throws -> Int {
        try write(in: ReportSession(database: path, for: self), as: format, layout: layout, to: sink)
    }

    /// Runs the report as ``write(fromDatabase:as:layout:to:)`` does, on the state
    /// of the database that a session sees.
    @discardableResult
    public func write(
        in session: ReportSession, as format: ReportFormatName, layout: TableLayout = TableLayout(),
        to sink: (String) throws -> Void
    ) throws -> Int {
        if let prices { try prices.offer(to: session.queue) }
        try session.prepare(for: report, timeoutSeconds: timeoutSeconds)
        var format = format.makeFormat(layout: layout)
        var text = ""
        var rows = 0
        format.begin(report.header, into: &text)
        try forEachRow(on: session.queue, path: session.path) { values in
            format.row(values, into: &text)
            rows += 1
            if text.utf8.count >= Self.flushBytes {
                try sink(text)
                text.removeAll(keepingCapacity: true)
            }
        }
        format.end(into: &text)
        try sink(text)
        return rows
    }

    /// Runs the report on an open database.
    ///
    /// - Parameters:
    ///   - path: the database, for messages.
    ///   - take: one row's values, in the order of the header's columns. What it
    ///     throws ends the run and is thrown on.
    /// - Throws: ``MillError`` as ``write(fromDatabase:as:layout:to:)`` does.
    func forEachRow(on queue: DatabaseQueue, path: String, _ take: ([ReportValue]) throws -> Void) throws {
        let limit = timeoutSeconds.map { QueryTimeLimit(seconds: $0, on: [queue]) }
        defer { limit?.cancel() }
        try queue.inDatabase { connection in
            let statement = try ReportStatement(report, in: connection).statement
            let arguments = report.header.parameters.map { ($0.name, values[$0.name]?.databaseValue ?? .null) }
            do {
                let cursor = try Row.fetchCursor(
                    statement, arguments: StatementArguments(Dictionary(uniqueKeysWithValues: arguments)))
                while let row = try cursor.next() { try take(row.databaseValues.map(ReportValue.init)) }
            } catch let error as DatabaseError {
                if error.resultCode == .SQLITE_INTERRUPT, let limit { throw limit.exceeded(by: report) }
                throw Self.explained(error, in: report, path: path)
            }
        }
    }

    /// Compiles the report on a database and holds it against its header.
    ///
    /// - Throws: ``MillError`` as ``write(fromDatabase:as:layout:to:)`` does.
    public func check(onDatabase path: String) throws {
        _ = try ReportDatabase(path: path).queue.read { try ReportStatement(report, in: $0) }
    }

    /// An error midway is the query's if it is about values, else the database's.
    private static func explained(_ error: DatabaseError, in report: Report, path: String) -> MillError {
        switch error.resultCode {
        case .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_TOOBIG:
            ReportStatement.fault(in: report, error, atOffset: -1)
        default:
            ReportDatabase.explained(error, path: path)
        }
    }

    private static func unknown(_ name: String, in report: Report) -> MillError {
        let names = report.header.parameters.map(\.name)
        let near = nearestNames(to: name, among: names)
        var hint = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        if !near.isEmpty { hint = "did you mean \(near.joined(separator: ", "))? " + hint }
        return misuse("the report \(report.name) has no parameter \(name)", hint: hint)
    }

    private static func misuse(_ what: String, hint: String) -> MillError {
        MillError(stage: .reporting, what: what, hint: hint, exitStatus: .usage)
    }
}

extension ReportValue {
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .blob([UInt8](data))
        }
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .blob: .null
        }
    }
}
