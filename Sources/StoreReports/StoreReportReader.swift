package import MillSystem

/// Reads a report file of the store, whose header says which report the file holds.
///
/// Each line ends as a row, a rejection, or as what belongs to no row: headers, which may come again, totals, titles and
/// blank lines.
package struct StoreReportReader {
    package let kind: StoreReportKind
    private var lines: ReportLines
    private let name: String
    private let delimiter: ReportRow.Delimiter
    private var line = 0
    private var table: Table
    private var totals = ReportTotals()
    /// Items behind the one that was returned last.
    private var pending: [StoreReportItem] = []
    /// Lines that were read ahead, of a list of payments.
    private var ahead: ArraySlice<ReportLines.Line> = []
    private var oddRows = 0

    /// How the lines at hand are read.
    private enum Table {
        case sales(SaleRows)
        /// Sales whose tabs became spaces.
        case spacedSales(SaleRows)
        case counts(CountRows)
        case payments(PaymentTable)
        /// Sums by country and currency at the end of a financial report.
        case sums(ReportColumns.Sums)
        /// Rows of another report, which follow its header in the same file.
        case other(StoreReportKind)
    }

    /// The number of lines in which a header has to stand. Reports have at most three lines before theirs.
    private static let headerLines = 60
    /// The number of bytes of a title in which the month is sought.
    private static let titleLength = 1000
    /// The number of odd rows that are warned of one by one.
    private static let greatestOddRows = 20
    /// The number of lines of a list of payments that decide how the numbers are written.
    private static let linesAhead = 1000

    /// - Parameters:
    ///   - name: the file's name, which messages state.
    ///   - chunk: the next bytes of the inflated text, of any number; nil at its end.
    /// - Throws: ``MillError`` where no header of a known report stands in the first lines, and what `chunk` throws.
    package init(name: String, chunk: @escaping () throws(MillError) -> [UInt8]?) throws(MillError) {
        self.name = name
        var lines = try ReportLines(chunk: chunk)
        var (line, title) = (0, "")
        while line < Self.headerLines, let next = try lines.next() {
            line += 1
            guard case .text(let text) = next else { continue }
            if SpacedSales.isHeader(text), let columns = ReportColumns(ReportRow(SpacedSales.header, .tab)) {
                (kind, table, delimiter) = (.sales, .spacedSales(SaleRows(columns, .point)), .tab)
                (self.lines, self.line) = (lines, line)
                return
            }
            for delimiter in ReportRow.Delimiter.allCases {
                let row = ReportRow(text, delimiter)
                guard !row.isBroken else { continue }
                if let columns = ReportColumns(row) {
                    (kind, table) = (columns.kind, Self.table(columns, delimiter))
                } else if let payments = PaymentTable(row, title: title) {
                    (kind, table) = (.payments, .payments(payments))
                } else {
                    continue
                }
                (self.lines, self.line, self.delimiter) = (lines, line, delimiter)
                try lookAhead()
                return
            }
            if !text.isEmpty, !ReportRow(text, .comma).isBlank {
                title = ReportText.decoded(text.prefix(Self.titleLength))
            }
        }
        throw MillError(
            stage: .reading, path: name, line: 1,
            what: line == 0
                ? "the file is empty" : "none of the first \(line) lines is the header of a report that is known",
            hint: """
                give a report of App Store Connect as the store wrote it: sales, subscriptions, subscription events, \
                subscribers, pre-orders, offer codes, financial reports or payments
                """, exitStatus: .badData)
    }

    /// - Parameter text: the inflated text.
    package init(text: [UInt8], name: String) throws(MillError) {
        var rest: [UInt8]? = text
        try self.init(name: name) { () throws(MillError) in
            defer { rest = nil }
            return rest
        }
    }

    private static func table(_ columns: ReportColumns, _ delimiter: ReportRow.Delimiter) -> Table {
        // Spreadsheets separate cells by semicolons where a comma stands before decimals.
        let style: ReportNumber.Style = delimiter == .semicolon ? .comma : .point
        return switch columns.kind {
        case .sales, .financial, .financeDetail: .sales(SaleRows(columns, style))
        default: .counts(CountRows(columns, style))
        }
    }

    /// Reads lines of a list of payments, so that all its numbers are read alike.
    private mutating func lookAhead() throws(MillError) {
        guard case .payments(var payments) = table else { return }
        var found: [ReportLines.Line] = []
        while found.count < Self.linesAhead, let next = try lines.next() { found.append(next) }
        let delimiter = delimiter
        payments.decideStyle(
            found.lazy.map { line in
                if case .text(let text) = line { ReportRow(text, delimiter) } else { ReportRow([], delimiter) }
            })
        (ahead, table) = (found[...], .payments(payments))
    }

    /// What the next lines state; nil at the end of the file.
    package mutating func next() throws(MillError) -> StoreReportItem? {
        while true {
            if !pending.isEmpty { return pending.removeFirst() }
            guard let next = try nextLine() else { return end() }
            line += 1
            guard case .text(let text) = next else {
                return reject(ReportFault(.columns, "the line has more than \(ReportLines.greatestLength >> 20) MiB"))
            }
            if text.isEmpty { continue }
            if let item = read(text) { return item }
        }
    }

    private mutating func nextLine() throws(MillError) -> ReportLines.Line? {
        if let next = ahead.popFirst() { return next }
        return try lines.next()
    }

    private mutating func end() -> StoreReportItem? {
        defer { oddRows = 0 }
        guard oddRows > Self.greatestOddRows else { return nil }
        return .warning(line: line, "\(oddRows - Self.greatestOddRows) more rows are odd in such ways")
    }

    private mutating func read(_ text: [UInt8]) -> StoreReportItem? {
        let row = ReportRow(text, delimiter)
        if row.isBlank { return nil }
        do throws(ReportFault) {
            guard !row.isBroken else {
                throw ReportFault(
                    .columns, "the line has a quote that does not end, or more than \(ReportRow.greatestWidth) cells")
            }
            guard !text.contains(0) else { throw ReportFault(.text, "the line has a zero byte") }
            return try read(row, text)
        } catch {
            return followsTables(row) ? pending.isEmpty ? nil : pending.removeFirst() : reject(error)
        }
    }

    private mutating func read(_ row: ReportRow, _ text: [UInt8]) throws(ReportFault) -> StoreReportItem? {
        switch table {
        case .sales(let rows):
            let read = try rows.read(row, line: line)
            totals.add(read)
            note(read.oddity)
            return .sale(read.sale)
        case .spacedSales(let rows):
            guard let tabulated = SpacedSales.tabulated(text) else {
                throw ReportFault(.columns, "the line has spaces for tabs, and its cells can't be distinguished")
            }
            let read = try rows.read(ReportRow(tabulated, .tab), line: line)
            note(read.oddity)
            return .sale(read.sale)
        case .counts(let rows):
            return .row(try rows.read(row, line: line))
        case .payments(var payments):
            let read = try payments.read(row, line: line)
            table = .payments(payments)
            switch read {
            case .row(let found): return .row(found)
            case .remark(let warning): return warning.map { .warning(line: line, $0) }
            }
        case .sums(let columns):
            guard let warning = totals.compare(row, columns) else {
                throw ReportFault(.number, "the line states no units and amount of a country")
            }
            return warning.isEmpty ? nil : .warning(line: line, warning)
        case .other(let other):
            throw ReportFault(
                .otherReport, "the row follows the header of a report '\(other.rawValue)' in one of '\(kind.rawValue)'")
        }
    }

    private mutating func note(_ oddity: String?) {
        guard let oddity else { return }
        oddRows += 1
        if oddRows <= Self.greatestOddRows { pending.append(.warning(line: line, oddity)) }
    }

    private mutating func reject(_ fault: ReportFault) -> StoreReportItem {
        if case .sales = table { totals.noteRejected() }
        return .rejection(line: line, reason: fault.reason.rawValue, detail: fault.detail)
    }

    /// Whether a line that is no row is a header, a total, or one of the lines before the header of another file that
    /// was appended.
    private mutating func followsTables(_ row: ReportRow) -> Bool {
        guard !row.isBroken else { return false }
        if let columns = ReportColumns(row) {
            table = columns.kind == kind ? Self.table(columns, delimiter) : .other(columns.kind)
            return true
        }
        switch kind {
        case .financial, .financeDetail:
            if let sums = ReportColumns.Sums(row) {
                table = .sums(sums)
                return true
            }
            if let warning = totals.compare(row) {
                if !warning.isEmpty { pending.append(.warning(line: line, warning)) }
                return true
            }
            return isPreamble(row)
        case .payments:
            guard case .payments(let former) = table, var again = PaymentTable(row, title: "") else { return false }
            again.continue(former)
            table = .payments(again)
            return true
        default:
            return false
        }
    }

    private func isPreamble(_ row: ReportRow) -> Bool {
        guard row.width <= 2 else { return false }
        let name = String(decoding: ReportText.normalized(row.cell(0)), as: UTF8.self)
        return ["vendorname", "startdate", "enddate"].contains(name)
    }
}
