/// Rows of SALES, FINANCIAL and FINANCE_DETAIL reports.
struct SaleRows {
    let columns: StoreFileColumns
    private let notation: ReportNumber.Notation

    init(_ columns: StoreFileColumns, _ notation: ReportNumber.Notation) {
        (self.columns, self.notation) = (columns, notation)
    }

    /// A row that was read.
    struct Read {
        var sale: StoreSale
        /// Units and extended share with their signs in the file, for comparison with its totals.
        var statedUnits, statedAmount: Int64
        /// What is odd about the row; nil if nothing is.
        var oddity: String?
    }

    func read(_ row: StoreFileLine, line: Int) throws(ReportFault) -> Read {
        guard let (row, lacking) = realigned(row) else { return try readAligned(row, line: line) }
        var read = try readAligned(row, line: line)
        read.oddity = "the row lacks \(lacking) of the empty cells before Apple Identifier, and is read with them"
        return read
    }

    /// The row with restored cells if empty cells before the Apple Identifier were lost, so that the identifier and all
    /// cells after it are too far to the left; nil for any other row.
    private func realigned(_ row: StoreFileLine) -> (row: StoreFileLine, lacking: Int)? {
        guard columns.kind == .sales, row.cells.count < columns.names.count, let place = columns[.appleID],
            let currency = columns[.shareCurrency], currency < place, columns[.price] == place + 1,
            row.width <= place + 1
        else { return nil }
        let found = row.width - 2
        guard found > currency, found < place, Self.isAppleID(row.cell(found)),
            (currency + 1..<found).allSatisfy({ row.cell($0).isEmpty }),
            ReportNumber.thousandths(row.cell(found + 1), notation) != nil
        else { return nil }
        var row = row
        row.insertEmptyCells(place - found, at: found)
        return (row, place - found)
    }

    /// Whether a cell can be the Apple ID of an app, which has nine digits or more.
    private static func isAppleID(_ cell: ArraySlice<UInt8>) -> Bool {
        cell.count >= 9 && cell.allSatisfy { $0.asDigit != nil }
    }

    private func readAligned(_ row: StoreFileLine, line: Int) throws(ReportFault) -> Read {
        guard row.width <= columns.names.count else { throw .wide(row, header: columns.names) }
        let isDetail = columns.kind == .financeDetail
        let begins = try day(row, isDetail ? .transacted : .begins)
        let ends = columns[isDetail ? .settled : .ends] == nil ? begins : try day(row, isDetail ? .settled : .ends)
        guard isDetail || begins <= ends else {
            throw ReportFault(
                .date, "the row begins on \(ReportDate.iso8601(begins)) and ends on \(ReportDate.iso8601(ends))")
        }
        guard let sku = columns.text(row, .sku) ?? columns.text(row, .appleID) else { throw missing(.sku, row) }
        guard let stated = try number(row, .units, isCount: true) else { throw missing(.units, row) }
        // A row that ends before its amounts must not be read as a row without money.
        for field in [StoreField.price, .share, .extended] {
            if let column = columns[field], column >= row.cells.count { throw missing(field, row) }
        }
        let (price, share) = try (number(row, .price), number(row, .share))
        let extended = try number(row, .extended)
        let isReturn = columns[.saleOrReturn].map { Self.isReturn(row.cell($0)) } ?? false

        var sale = StoreSale(line: line, beginsDay: begins, endsDay: ends, sku: sku)
        sale.unitsThousandths = isReturn ? -abs(stated) : stated
        sale.priceMilliunits = abs(price ?? 0)
        sale.grossMilliunits = try product(sale.unitsThousandths, sale.priceMilliunits)
        let computed = try product(sale.unitsThousandths, abs(share ?? 0))
        if let extended {
            sale.proceedsMilliunits = isReturn || sale.unitsThousandths < 0 ? -abs(extended) : extended
        } else {
            sale.proceedsMilliunits = computed
        }
        sale.appleID = columns.text(row, .appleID).flatMap(Int64.init)
        sale.developer = columns.text(row, .developer)
        sale.texts = StoreField.texts.map { field, _ in
            columns.text(row, field).map { field.isCode ? Self.code($0) : $0 }
        }
        return Read(
            sale: sale, statedUnits: stated, statedAmount: extended ?? computed,
            oddity: oddity(sale, computed: computed, price: price, share: share, extended: extended))
    }

    /// A hundredth of a currency unit. Extended shares that differ by no more are rounded.
    private static let roundedMilliunits: Int64 = 10

    private func oddity(_ sale: StoreSale, computed: Int64, price: Int64?, share: Int64?, extended: Int64?) -> String? {
        if price == nil, sale.proceedsMilliunits != 0 {
            return "the row has proceeds of \(ReportNumber.text(sale.proceedsMilliunits)) and no customer price"
        }
        if price != nil, sale.priceMilliunits != 0, share == nil, extended == nil {
            return "the row has a price of \(ReportNumber.text(sale.priceMilliunits)) and no proceeds"
        }
        guard extended != nil, share != nil else { return nil }
        let difference = sale.proceedsMilliunits.subtractingReportingOverflow(computed)
        guard difference.overflow || difference.partialValue.magnitude > Self.roundedMilliunits else { return nil }
        return
            "quantity times share is \(ReportNumber.text(computed)), and the extended share "
            + ReportNumber.text(sale.proceedsMilliunits)
    }

    /// A code of two or three letters is capitalized; any other text is unchanged.
    static func code(_ text: String) -> String {
        guard text.utf8.count <= 3, !text.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) else {
            return text
        }
        return text.utf8.allSatisfy { $0 < 0x80 } ? text.uppercased() : text
    }

    private static func isReturn(_ cell: ArraySlice<UInt8>) -> Bool {
        cell.first.map { $0 | 0x20 == UInt8(ascii: "r") } ?? false
    }

    private func day(_ row: StoreFileLine, _ field: StoreField) throws(ReportFault) -> Int {
        let cell = columns[field].map(row.cell) ?? []
        guard !cell.isEmpty else { throw missing(field, row) }
        guard let day = ReportDate.day(cell) else {
            throw ReportFault(.date, "\(name(field)) \(ReportFault.shown(cell)) is no date")
        }
        return day
    }

    /// The number in a column; nil if the column is absent or its cell is empty.
    private func number(
        _ row: StoreFileLine, _ field: StoreField, isCount: Bool = false
    ) throws(ReportFault) -> Int64? {
        guard let cell = columns[field].map(row.cell), !cell.isEmpty else { return nil }
        guard let number = ReportNumber.thousandths(cell, notation, isCount: isCount) else {
            throw .noNumber(name(field), cell, notation)
        }
        guard number.magnitude <= (isCount ? Self.maximumUnits : Self.maximumAmount) else {
            throw ReportFault(.range, "\(name(field)) \(ReportFault.shown(cell)) is too large")
        }
        return number
    }

    /// A billion units and a hundred billion currency units, both in thousandths. No app sells as much in a row, and
    /// the sum of 90,000 rows of that size still fits in 64 bits.
    private static let (maximumUnits, maximumAmount) = (UInt64(1_000_000_000_000), UInt64(100_000_000_000_000))

    private func product(_ one: Int64, _ other: Int64) throws(ReportFault) -> Int64 {
        guard let product = ReportNumber.product(one, other), product.magnitude <= Self.maximumAmount else {
            throw ReportFault(.range, "\(ReportNumber.text(one)) times \(ReportNumber.text(other)) is too large")
        }
        return product
    }

    private func missing(_ field: StoreField, _ row: StoreFileLine) -> ReportFault {
        guard let column = columns[field] else { return ReportFault(.missing, "the file has no column for \(field)") }
        return column < row.cells.count
            ? ReportFault(.missing, "\(columns.names[column]) is empty")
            : .short(row, before: columns.names[column])
    }

    private func name(_ field: StoreField) -> String {
        columns[field].map { columns.names[$0] } ?? "\(field)"
    }
}
