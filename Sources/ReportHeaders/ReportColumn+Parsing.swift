extension ReportColumn {
    /// Reads an entry such as `age  integer(days)  days from purchase to cancellation`.
    init(parsing entry: HeaderEntry) throws(MalformedReportHeader) {
        var fields = HeaderFields(entry.text)
        guard let name = fields.next(), HeaderFields.isIdentifier(name.text), let type = fields.nextType(),
            !fields.rest.isEmpty
        else {
            throw MalformedReportHeader(
                line: entry.line, message: "a column lacks a name in lower-snake-case, a type or a meaning",
                hint: "write a column as: name  type  meaning, or name  type(unit)  meaning")
        }
        guard let kind = ColumnKind(rawValue: type.name), type.detail != "" else {
            throw MalformedReportHeader(
                line: entry.line,
                message: "\(name.text) has the unknown type \(type.name)\(type.detail.map { "(\($0))" } ?? "")",
                hint: "a column's type is one of " + ColumnKind.allCases.map(\.rawValue).joined(separator: ", ")
                    + ", with a unit in brackets where it helps")
        }
        guard kind != .money || type.detail.map({ HeaderFields.isIdentifier($0) }) == true else {
            throw MalformedReportHeader(
                line: entry.line, message: "\(name.text) is money of no currency",
                hint: "write money(column), with the column that names the currency")
        }
        self.init(name: name.text, kind: kind, unit: type.detail, meaning: fields.rest)
    }
}
