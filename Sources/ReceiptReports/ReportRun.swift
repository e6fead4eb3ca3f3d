internal import Foundation
internal import GRDB
internal import GRDBSQLite
package import MillDatabase
package import MillSystem
package import ReportHeaders

/// A report to be run on a database, with its parameters read and checked.
package struct ReportRun: Sendable {
    /// The number of bytes of text that are collected before a write.
    static let flushBytes = 64 * 1024

    package let report: Report
    /// The filters of the views that the statement reads.
    let filters: [StandardFilter]
    let parameters: [ReportParameter]
    /// Values by parameter name. For a missing name, the statement gets null and uses its own default.
    package let values: [String: ReportValue]
    /// Exchange rates, for reports that convert money.
    package var rates: RateList?
    /// Apple's commission rates, for reports of proceeds; if nil, the card that the database stores is used.
    package var rateCard: RateCard?
    /// Seconds after which the query is stopped; nil for never.
    package var timeoutSeconds: Double?
    /// Whether CSV and TSV contain texts that a spreadsheet would run as formulas, unchanged.
    package var isExact = false
    /// If not nil, cells of HTML link to reports about a case.
    package var caseLinks: CaseLinks?
    /// Whether a warning explains an empty answer. A person who waits for an answer needs the reason; for an alarm, an
    /// empty answer is the usual one.
    package var saysWhyEmpty = false
    /// The columns that are written.
    package var columns = ColumnChoice.main
    /// Whether an environment that neither Apple nor the database has is only a warning instead of an error: the
    /// environments of a pipeline file were checked when the file was read.
    package var takesAnyEnvironment = false

    /// - Parameters:
    ///   - settings: parameter names and texts as a user gave them, in order.
    ///   - subject: the value of the first required parameter.
    ///   - today: the day to which relative days and months refer, in days since 1970; by default, today in UTC.
    /// - Throws: ``MillError`` if a name is unknown, given twice or missing, or if a text is not a valid value of its
    ///   parameter.
    package init(
        _ report: Report, settings: [(name: String, text: String)] = [], subject: String? = nil,
        today: Int64? = nil
    ) throws {
        self.report = report
        let filters = report.filters
        let parameters = report.parameters(of: filters)
        (self.filters, self.parameters) = (filters, parameters)
        var settings = settings
        let first = parameters.first(where: \.isRequired)
        if let subject {
            guard let first else {
                throw Self.misuse(
                    "the report \(report.name) takes no value after its name, but \(subject) stands there",
                    hint: "set parameters with words of the form NAME=VALUE")
            }
            settings.append((first.name, subject))
        }
        var values: [String: ReportValue] = [:]
        for setting in settings {
            let value = try Self.value(
                of: setting.text, for: setting.name, in: report, today: today ?? RelativeTime.today)
            guard values.updateValue(value, forKey: setting.name) == nil else {
                throw Self.misuse("the parameter \(setting.name) is given twice", hint: "give each once")
            }
        }
        for missing in parameters where missing.isRequired && values[missing.name] == nil {
            throw Self.misuse(
                "the report \(report.name) needs \(missing.name)",
                hint: missing == first
                    ? "give after its name the \(missing.meaning)"
                    : "give the \(missing.meaning): \(missing.name)=…")
        }
        self.values = values
        for parameter in parameters {
            func text(_ name: String) -> String? {
                values[name]?.plainText ?? parameters.first { $0.name == name }?.defaultText
            }
            guard let value = text(parameter.name) else { continue }
            do throws(UnfitValue) { try parameter.check(value, against: text) } catch {
                throw Self.misfit(value, of: parameter, error)
            }
        }
    }

    /// The header of the columns that formats for programs write: all columns, unless some are named.
    package var writtenHeader: ReportHeader { namedPlaces.map(header.keeping) ?? header }

    private var namedPlaces: [Int]? {
        guard case .named = columns else { return nil }
        return header.places(of: columns)
    }

    /// The indices, among the statement's columns, of the columns in the answer; nil for all.
    private var askedPlaces: [Int]? {
        let columns = report.header.columns
        return asksForOptional ? nil : columns.indices.filter { !report.header.optional.contains(columns[$0].name) }
    }

    /// Whether the answer has the optional columns: the parameter that is named after the first of them is 1.
    private var asksForOptional: Bool {
        report.header.optional.first.map { values[$0]?.plainText == "1" } ?? true
    }

    /// The report's header for this run. It lacks optional columns that are not wanted, and if the run counts by weeks
    /// or days, its columns of months hold days.
    package var header: ReportHeader {
        var header = report.header.answering(asksForOptional)
        let subject = parameters.first(where: \.isRequired).flatMap { values[$0.name]?.plainText }
        if let subject, !subject.isEmpty { header.title += ": \(subject)" }
        guard let grain = values["grain"]?.plainText, ["week", "day"].contains(grain) else { return header }
        for index in header.columns.indices where ["month", "cohort"].contains(header.columns[index].name) {
            header.columns[index].kind = .date
        }
        return header
    }

    /// The value of a parameter as a user gave it.
    ///
    /// - Throws: ``MillError`` if the report has no such parameter, or if the text is not a valid value of it.
    package static func value(
        of text: String, for name: String, in report: Report, today: Int64 = RelativeTime.today
    ) throws(MillError) -> ReportValue {
        guard let parameter = report.parameters.first(where: { $0.name == name }) else {
            let names = report.parameters.map(\.name)
            throw misuse(
                "the report \(report.name) has no parameter \(name)",
                hint: suggestion(for: name, among: names)
                    + (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"))
        }
        let resolved = RelativeTime.resolve(text, as: parameter.kind, today: today)
        do throws(UnfitValue) { return try parameter.value(of: resolved ?? text) } catch {
            throw misfit(resolved.map { "\(text) (\($0))" } ?? text, of: parameter, error)
        }
    }

    private static func misfit(_ text: String, of parameter: ReportParameter, _ fault: UnfitValue) -> MillError {
        misuse(
            "\(parameter.name)=\(text): the value \(fault.message)",
            hint: (fault.near.map { "did you mean \($0)? " } ?? "") + "\(parameter.name) sets: \(parameter.meaning)"
                + (RelativeTime.forms(of: parameter.kind).map { "; \($0) will do, too" } ?? ""))
    }

    /// Runs the report and writes the result as text.
    ///
    /// Rows are written one by one, so memory does not grow with the result.
    ///
    /// - Parameters:
    ///   - session: the database. All rows are read from one state of it.
    ///   - format: the format of the text.
    ///   - warn: takes warnings about values; the run continues after them.
    ///   - sink: takes the text, some tens of kilobytes at a time. An error that it throws ends the run and is
    ///     rethrown.
    /// - Returns: the number of rows.
    /// - Throws: ``MillError`` if the database can't be read, if the report's statement does not fit its header, or if
    ///   the command line names an environment that neither Apple nor the database has.
    @discardableResult
    package func write(
        in session: ReportSession, as format: ReportFormatName, layout: TableLayout = TableLayout(),
        warn: (ReportWarning) -> Void = { _ in }, to sink: (String) throws -> Void
    ) throws -> Int {
        try session.resume()
        if let warning = try session.checkModels(readBy: [report]) { warn(warning) }
        var isOdd = false
        try checkApps(in: session) {
            isOdd = true
            warn($0)
        }
        for warning in try thresholdWarnings(in: session) { warn(warning) }
        let stored = try session.read(ReportCurrency.stored)
        if let warning = rateWarning(stored: stored) { warn(warning) }
        if let warning = try rateCardWarning(in: session) { warn(warning) }
        // Formats for people get all columns, because totals and triangles may need columns that are not shown.
        let places = format.isForPeople ? nil : namedPlaces
        var format = format.makeFormat(layout: layout, isExact: isExact, caseLinks: caseLinks, columns: columns)
        var text = ""
        var rows = 0
        var currencies = UnconvertedCurrencies(self, stored: stored)
        var header = places.map(header.keeping) ?? header
        header.timeZone = try session.timeZone()
        format.begin(header, into: &text)
        try forEachRow(in: session) { values in
            format.row(places.map { $0.map { values[$0] } } ?? values, into: &text)
            currencies?.add(values)
            rows += 1
            if text.utf8.count >= Self.flushBytes {
                try sink(text)
                text.removeAll(keepingCapacity: true)
            }
        }
        format.end(into: &text)
        try sink(text)
        if let warning = currencies?.warning { warn(warning) }
        if let warning = try completenessWarning(in: session) { warn(warning) }
        if rows == 0, let unknownSubject {
            warn(unknownSubject)
        } else if rows == 0, saysWhyEmpty, !isOdd {
            warn(try reasonForNoRows(in: session))
        }
        return rows
    }

    /// Runs the report.
    ///
    /// - Parameter take: takes one row's values, in the order of the header's columns. An error that it throws ends the
    ///   run and is rethrown.
    /// - Throws: ``MillError`` in the same cases as ``write(in:as:layout:warn:to:)``.
    func forEachRow(in session: ReportSession, _ take: ([ReportValue]) throws -> Void) throws {
        try session.queue.inDatabase { connection in
            try query(session) { try applyFilters(on: connection) }
            let statement = try ReportStatement(report, in: connection).statement
            let money = try MoneyColumns(report, in: connection)
            let arguments = report.header.parameters.map { ($0.name, values[$0.name]?.databaseValue ?? .null) }
            try query(session) {
                let cursor = try Row.fetchCursor(
                    statement, arguments: StatementArguments(Dictionary(uniqueKeysWithValues: arguments)))
                let places = askedPlaces
                while let row = try cursor.next() {
                    let read = try money.read((0..<row.count).map { index in try ReportValue(row, at: index) })
                    try take(places.map { $0.map { read[$0] } } ?? read)
                }
            }
        }
    }

    /// Runs a query, and interrupts the query when its time is over.
    private func query(_ session: ReportSession, _ work: () throws -> Void) throws {
        do {
            guard let timeoutSeconds else { return try work() }
            let start = ContinuousClock.now
            try Interruption.during([session.queue], after: timeoutSeconds, work)
            // An interrupt has no effect if it falls between two statements, so the time is compared once more.
            if .now - start > .seconds(timeoutSeconds) { throw overdue(timeoutSeconds) }
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_INTERRUPT, let timeoutSeconds { throw overdue(timeoutSeconds) }
            // An error about values is a fault of the report; any other error is a fault of the database.
            throw [.SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_TOOBIG].contains(error.resultCode)
                ? ReportStatement.fault(in: report, error) : ReadOnlyDatabase.explained(error, path: session.path)
        }
    }

    private func overdue(_ seconds: Double) -> MillError {
        MillError(
            stage: .reporting, path: report.origin.path, what: "the query took more than \(seconds) s and was stopped",
            hint: "ask for less with parameters, or allow more with --timeout", exitStatus: .tryLater)
    }

    static func misuse(_ what: String, hint: String) -> MillError {
        MillError(stage: .reporting, what: what, hint: hint, exitStatus: .usage)
    }
}

extension ReportValue {
    fileprivate init(_ row: Row, at index: Int) throws {
        let value: DatabaseValue = row[index]
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string:
            // Reading the text as a C string would stop at U+0000, which an identifier may contain.
            self = .text(try row.withUnsafeData(atIndex: index) { String(decoding: $0 ?? Data(), as: UTF8.self) })
        case .blob(let data): self = .blob([UInt8](data))
        }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null, .blob: .null
        case .money(let amount): amount.milliunits.databaseValue
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }
}
