/// Reads the sections about the form in which people see the rows, and about further names of the report.
extension ReportHeader {
    /// The maximum number of columns that a header's `Shown:` names.
    static let maximumShown = 11
    /// The number of columns that a table shows if the header has no `Shown:`, from the first on.
    package static let usuallyShown = 10

    /// Reads the sections, and checks them against the columns, which have already been read.
    mutating func readTables(_ sections: HeaderSections) throws(MalformedReportHeader) {
        aliases = try sections.list(of: .aliases)
        if let other = aliases.first(where: { !HeaderFields.isIdentifier($0, joinedBy: "-") || $0 == name }) {
            throw sections.fault(
                of: .aliases, "\(other) is no other name for the report",
                hint: "write lower-case words joined by hyphens")
        }
        let shown = try sections.list(of: .shown)
        self.shown = shown.isEmpty ? nil : shown
        guard shown.count <= Self.maximumShown else {
            throw sections.fault(
                of: .shown, "more than \(Self.maximumShown) columns are shown",
                hint: "name those that answer the question; --columns all shows all")
        }
        optional = try sections.list(of: .optional)
        totals = try sections.list(of: .total)
        try check(shown, of: .shown, sections)
        try check(optional, of: .optional, sections)
        if let first = optional.first, !parameters.contains(where: { $0.name == first }) {
            throw sections.fault(
                of: .optional, "no parameter is named as the first optional column, \(first)",
                hint: "declare :\(first)  integer(0..1)  0 under Parameters")
        }
        if let other = (shown + grain).first(where: optional.contains) {
            throw sections.fault(
                of: .optional, "\(other) is optional, and always needed", hint: "take it out of Shown and Grain")
        }
        try check(totals, of: .total, sections)
        if let other = totals.first(where: { name in ![.integer, .real, .money].contains(column(name)?.kind) }) {
            throw sections.fault(
                of: .total, "\(other) can't be added", hint: "name columns of numbers or of money")
        }
        triangle = try sections.text(of: .triangle).map { text throws(MalformedReportHeader) in
            try triangle(parsing: text, sections)
        }
        for (column, line) in zip(columns, columnLines) {
            guard let currency = column.currencyColumn, self.column(currency)?.kind != .text else { continue }
            throw MalformedReportHeader(
                line: line, message: "the currency of \(column.name), \(currency), is no column of text",
                hint: "write money(column), with the column that names the currency")
        }
    }

    package func column(_ name: String) -> ReportColumn? { columns.first { $0.name == name } }

    private func check(
        _ names: [String], of section: HeaderSections.Name, _ sections: HeaderSections
    ) throws(MalformedReportHeader) {
        guard let other = names.first(where: { column($0) == nil }) else { return }
        throw sections.fault(
            of: section, "\(section.title) names \(other), which is no column",
            hint: "list it under Columns, or take it out")
    }

    /// Reads an entry such as `rows=cohort columns=age value=retention`.
    private func triangle(
        parsing text: String, _ sections: HeaderSections
    ) throws(MalformedReportHeader) -> ReportTriangle {
        var fields = HeaderFields(text)
        let (roles, stranger) = fields.roles(["rows", "columns", "value"])
        guard stranger == nil, let rows = roles["rows"], let columns = roles["columns"], let value = roles["value"],
            Set([rows, columns, value]).count == 3
        else {
            throw sections.fault(
                of: .triangle, "the triangle lacks rows, columns or value",
                hint: "write: Triangle: rows=column columns=column value=column")
        }
        try check([rows, columns, value], of: .triangle, sections)
        return ReportTriangle(rows: rows, columns: columns, value: value)
    }
}
