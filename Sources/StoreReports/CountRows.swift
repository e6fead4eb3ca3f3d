internal import MillJSON

/// Rows of reports that count subscriptions, events, subscribers, offers and pre-orders.
struct CountRows {
    private let columns: ReportColumns
    private let style: ReportNumber.Style

    init(_ columns: ReportColumns, _ style: ReportNumber.Style) { (self.columns, self.style) = (columns, style) }

    func read(_ row: ReportRow, line: Int) throws(ReportFault) -> StoreRow {
        guard row.width <= columns.names.count else {
            throw ReportFault(.columns, "the row has \(row.width) cells, the header \(columns.names.count)")
        }
        for column in columns.counts where !row.cell(column).isEmpty {
            guard ReportNumber.thousandths(row.cell(column), style) != nil else {
                throw ReportFault(
                    .number,
                    "\(columns.names[column]) \(shown(row.cell(column))) is no number that can be read")
            }
        }
        var fields = JSONWriter()
        fields.open()
        Self.write(row, names: columns.names, to: &fields)
        fields.close()
        var found = StoreRow(line: line, fields: fields.text)
        found.day = try day(row)
        found.appAppleID =
            value(row, .appAppleID).flatMap(Int64.init)
            ?? (columns.kind == .preOrder ? value(row, .appleID).flatMap(Int64.init) : nil)
        found.product = value(row, .subscriptionName) ?? value(row, .title) ?? value(row, .appName)
        found.country = value(row, .country).map(SaleRows.code)
        found.subscriberID = value(row, .subscriberID)
        guard found.product != nil || found.appAppleID != nil || found.subscriberID != nil else {
            throw ReportFault(.missing, "the row names no product, app or subscriber")
        }
        return found
    }

    /// Writes the cells that have a text as members.
    static func write(_ row: ReportRow, names: [String], to fields: inout JSONWriter) {
        for (column, name) in names.enumerated() {
            guard let text = row.text(column) else { continue }
            fields.key { $0.appendEscaped(name) }
            fields.value(text)
        }
    }

    private func value(_ row: ReportRow, _ field: ReportColumns.Field) -> String? { columns[field].flatMap(row.text) }

    /// The day of the row, which every report but that of present subscriptions states.
    private func day(_ row: ReportRow) throws(ReportFault) -> String? {
        guard let column = columns[columns.kind == .preOrder ? .begins : .day] else { return nil }
        let cell = row.cell(column)
        if cell.isEmpty {
            guard columns.kind != .subscription else { return nil }
            throw ReportFault(
                column < row.cells.count ? .missing : .columns, "the row has no \(columns.names[column])")
        }
        guard let day = ReportDate.day(cell) else {
            throw ReportFault(.date, "\(columns.names[column]) \(shown(cell)) is no date")
        }
        return ReportDate.iso8601(day)
    }

    /// A cell's text for a message. No cell of a subscriber's row is quoted, because cells that stand under wrong columns
    /// may hold the subscriber's number, and rejections outlive the erasure of the subscriber.
    private func shown(_ cell: ArraySlice<UInt8>) -> String {
        columns.kind == .subscriber ? "of the row" : ReportFault.shown(cell)
    }
}
