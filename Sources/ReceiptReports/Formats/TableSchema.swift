internal import MillJSON
internal import ReportHeaders

extension ReportHeader {
    /// The types and meanings of columns, for programs that read a report's output: a Table Schema
    /// (https://specs.frictionlessdata.io/table-schema/). A column's unit is under the key `unit`, which is not part of
    /// the standard.
    package func tableSchema(as format: ReportFormatName) -> String {
        let fields = columns.map { column in
            var members = [
                ("name", JSONText.quoted(column.name)), ("type", JSONText.quoted(column.kind.inTableSchema)),
            ]
            if let unit = column.unit { members.append(("unit", JSONText.quoted(unit))) }
            return JSONText.object(members + [("description", JSONText.quoted(column.meaning))])
        }
        let key = grain.map(JSONText.quoted).joined(separator: ", ")
        return """
            {
              "title": \(JSONText.quoted(title)),
              "description": \(JSONText.quoted(question)),
              "fields": [
                \(fields.joined(separator: ",\n    "))
              ],
              "missingValues": [\(format.nullText.map(JSONText.quoted) ?? "")],
              "primaryKey": [\(key)]
            }

            """
    }
}

extension ColumnKind {
    /// The type's name in a Table Schema.
    fileprivate var inTableSchema: String {
        switch self {
        case .text: "string"
        case .integer: "integer"
        case .real, .share, .money: "number"
        case .date: "date"
        case .month: "yearmonth"
        case .time: "datetime"
        }
    }
}

extension ReportFormatName {
    /// The text that the format writes for null; nil if the format has a null of its own.
    fileprivate var nullText: String? {
        switch self {
        case .table: TableFormat.nullText
        case .csv, .tsv, .markdown, .html: ""
        case .json, .jsonl: nil
        }
    }
}
