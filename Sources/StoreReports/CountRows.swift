internal import MillJSON

/// Rows of reports that count subscriptions, events, subscribers, offers and pre-orders.
struct CountRows {
    let columns: StoreFileColumns
    private let notation: ReportNumber.Notation

    init(_ columns: StoreFileColumns, _ notation: ReportNumber.Notation) {
        (self.columns, self.notation) = (columns, notation)
    }

    func read(_ row: StoreFileLine, line: Int) throws(ReportFault) -> StoreRow {
        guard row.width <= columns.names.count else { throw .wide(row, header: columns.names) }
        for column in columns.counts where !row.cell(column).isEmpty {
            let isCount = column != columns[.price] && column != columns[.share]
            guard ReportNumber.thousandths(row.cell(column), notation, isCount: isCount) != nil else {
                throw .noNumber(
                    columns.names[column], row.cell(column), shown: shown(row.cell(column)), notation)
            }
        }
        var fields = JSONWriter()
        fields.open()
        Self.write(row, names: columns.names, to: &fields)
        fields.close()
        var found = StoreRow(line: line, fields: fields.text)
        found.day = try day(row)
        found.appAppleID =
            columns.text(row, .appAppleID).flatMap(Int64.init)
            ?? (columns.kind == .preOrder ? columns.text(row, .appleID).flatMap(Int64.init) : nil)
        found.product = columns.text(row, .subscriptionName) ?? columns.text(row, .title) ?? columns.text(row, .appName)
        found.country = columns.text(row, .country).map(SaleRows.code)
        found.subscriberID = columns.text(row, .subscriberID)
        guard found.product != nil || found.appAppleID != nil || found.subscriberID != nil else {
            throw ReportFault(.missing, "the row names no product, app or subscriber")
        }
        // A row that ends before its counts must not be read as a row of zeros.
        if let column = columns.lastNeededCount, column >= row.cells.count {
            throw .short(row, before: columns.names[column])
        }
        return found
    }

    /// Writes the nonempty cells as members.
    static func write(_ row: StoreFileLine, names: [String], to fields: inout JSONWriter) {
        for (column, name) in names.enumerated() {
            guard let text = row.text(column) else { continue }
            fields.key { $0.appendEscaped(name) }
            fields.value(text)
        }
    }

    /// The day of the row, which every report except that of present subscriptions states.
    private func day(_ row: StoreFileLine) throws(ReportFault) -> String? {
        guard let column = columns[columns.kind == .preOrder ? .begins : .day] else { return nil }
        let cell = row.cell(column)
        if cell.isEmpty {
            guard columns.kind != .subscription else { return nil }
            guard column < row.cells.count else { throw .short(row, before: columns.names[column]) }
            throw ReportFault(.missing, "the row has no \(columns.names[column])")
        }
        guard let day = ReportDate.day(cell) else {
            throw ReportFault(.date, "\(columns.names[column]) \(shown(cell)) is no date")
        }
        return ReportDate.iso8601(day)
    }

    /// A cell's text for a message. Cells of subscriber reports are not quoted: a cell in the wrong column may hold the
    /// subscriber's number, and rejections are kept after the subscriber is erased.
    private func shown(_ cell: ArraySlice<UInt8>) -> String {
        columns.kind == .subscriber ? "of the row" : ReportFault.shown(cell)
    }
}
