package import MillSystem

/// Reads an App Store report file. Its header shows which report the file contains.
///
/// Each line is a row, a rejection, or belongs to no row, such as headers, which may be repeated, totals, titles and
/// blank lines.
package struct StoreReportReader {
    package let kind: StoreReportKind
    private var lines: ReportLines
    private let name: String
    private let delimiter: StoreFileLine.Delimiter
    private var line = 0
    private var table: ReportTable
    /// How the file writes its numbers.
    private let notation: ReportNumber.Notation
    private var totals: ReportTotals
    /// The last title of payments, which states the month of the rows below it.
    private var title = ""
    /// Items to be returned before the next line is read.
    private var pending: [StoreReportItem] = []
    private var ahead = LinesAhead()
    private var oddRows = 0

    /// The header has to be within this number of lines. Reports have at most three lines before their headers.
    private static let headerLines = 60
    /// The maximum number of a title's bytes in which the month is searched.
    private static let titleLength = 1000
    /// The maximum number of odd rows that each get a warning.
    private static let maximumOddRows = 20

    /// - Parameters:
    ///   - name: the file's name, for messages.
    ///   - chunk: returns the next bytes of the inflated text; nil at its end.
    /// - Throws: ``MillError`` if the first lines contain no header of a known report; and the errors of `chunk`.
    package init(name: String, chunk: @escaping () throws(MillError) -> [UInt8]?) throws(MillError) {
        self.name = name
        var lines = try ReportLines(chunk: chunk)
        var (line, titleLine) = (0, 0)
        while line < Self.headerLines, let next = try lines.next() {
            line += 1
            guard case .text(let text) = next else { continue }
            if SpacedSales.isHeader(text), let columns = StoreFileColumns(StoreFileLine(SpacedSales.header, .tab)) {
                (delimiter, notation) = (.tab, ReportNumber.Notation(.tab))
                (kind, table) = (.sales, .sales(SaleRows(columns, notation), isSpaced: true))
                (self.lines, self.line, totals) = (lines, line, ReportTotals(notation))
                return
            }
            for delimiter in StoreFileLine.Delimiter.allCases {
                let row = StoreFileLine(text, delimiter)
                guard !row.isBroken else { continue }
                var notation = ReportNumber.Notation(delimiter)
                guard let table = ReportTable(row, title: title, notation), let kind = table.kind else { continue }
                ahead = LinesAhead(&lines, below: table, delimiter, &notation)
                (self.kind, self.table) = (kind, ReportTable(row, title: title, notation) ?? table)
                (self.lines, self.line, self.delimiter) = (lines, line, delimiter)
                (self.notation, totals) = (notation, ReportTotals(notation))
                if kind == .payments, let warning = Self.warning(of: title) {
                    pending.append(.warning(line: titleLine, warning))
                }
                return
            }
            if !StoreFileLine.isBlank(text), !StoreFileLine(text, .comma).isBlank {
                (title, titleLine) = (ReportText.decoded(text[...], upTo: Self.titleLength), line)
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

    /// A warning about a title whose month is missing or not understood.
    private static func warning(of title: String) -> String? {
        guard !title.isEmpty, PaymentMonth(of: title).text == nil else { return nil }
        return
            "the title \(ReportFault.shown(Array(title.utf8)[...])) states no month that is understood, and the rows have none"
    }

    /// The content of the next line; nil at the end of the file.
    package mutating func next() throws(MillError) -> StoreReportItem? {
        while true {
            if !pending.isEmpty { return pending.removeFirst() }
            guard let next = try nextLine() else { return end() }
            line += 1
            guard case .text(let text) = next else {
                return reject(ReportFault(.columns, "the line has more than \(ReportLines.maximumLength >> 20) MiB"))
            }
            if text.isEmpty { continue }
            if let item = read(text) { return item }
        }
    }

    private mutating func nextLine() throws(MillError) -> ReportLines.Line? {
        if let next = try ahead.next() { return next }
        return try lines.next()
    }

    private mutating func end() -> StoreReportItem? {
        defer { oddRows = 0 }
        guard oddRows > Self.maximumOddRows else { return nil }
        return .warning(line: line, "\(oddRows - Self.maximumOddRows) more rows are odd in such ways")
    }

    private mutating func read(_ text: [UInt8]) -> StoreReportItem? {
        let row = StoreFileLine(text, delimiter)
        if row.isBlank || StoreFileLine.isBlank(text) { return nil }
        do throws(ReportFault) {
            if let breach = row.breach { throw ReportFault(.columns, breach) }
            guard !text.contains(0) else { throw ReportFault(.text, "the line has a zero byte") }
            return try read(row, text)
        } catch {
            return followsTables(row) ? pending.isEmpty ? nil : pending.removeFirst() : reject(error)
        }
    }

    private mutating func read(_ row: StoreFileLine, _ text: [UInt8]) throws(ReportFault) -> StoreReportItem? {
        switch table {
        case .sales(let rows, let isSpaced):
            let read = try rows.read(isSpaced ? SpacedSales.row(text) : row, line: line)
            // Only financial reports state totals.
            if kind != .sales { totals.add(read) }
            note(read.oddity)
            return .sale(read.sale)
        case .counts(let rows):
            return .row(try rows.read(row, line: line))
        case .payments(var payments):
            let title = ReportText.decoded(text[...], upTo: Self.titleLength)
            if PaymentTable.isTitle(row, title) {
                self.title = title
                return Self.warning(of: title).map { .warning(line: line, $0) }
            }
            let read = try payments.read(row, line: line)
            table = .payments(payments)
            switch read {
            case .row(let found): return .row(found)
            case .remark(let warning): return warning.map { .warning(line: line, $0) }
            }
        case .sums(let columns):
            guard let warning = totals.compare(row) ?? totals.compare(row, columns) else {
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
        if oddRows <= Self.maximumOddRows { pending.append(.warning(line: line, oddity)) }
    }

    private mutating func reject(_ fault: ReportFault) -> StoreReportItem {
        if case .sales = table { totals.noteRejected() }
        return .rejection(line: line, reason: fault.reason.rawValue, detail: fault.detail)
    }

    /// Whether a line that is not a row is a header, a total, or one of the lines before the header of another file
    /// that was appended.
    private mutating func followsTables(_ row: StoreFileLine) -> Bool {
        guard !row.isBroken else { return false }
        if let next = ReportTable(row, title: title, notation), let other = next.kind,
            other == kind || other != .payments
        {
            table = other == kind ? next : .other(other)
            return true
        }
        switch kind {
        case .financial, .financeDetail:
            if let header = StoreFileColumns.Header(row), header.isOfSums {
                table = .sums(header)
                return true
            }
            if let warning = totals.compare(row) {
                if !warning.isEmpty { pending.append(.warning(line: line, warning)) }
                return true
            }
            return isPreamble(row)
        default:
            return false
        }
    }

    private func isPreamble(_ row: StoreFileLine) -> Bool {
        guard row.width <= 2 else { return false }
        let name = String(decoding: ReportText.normalized(row.cell(0)), as: UTF8.self)
        return ["vendorname", "startdate", "enddate"].contains(name)
    }
}
