internal import MillSystem

/// The reason why a header can't be parsed.
package struct MalformedReportHeader: Error, Hashable {
    package var line: Int
    package var message: String
    /// The text that should be written instead of the line.
    package var hint: String

    package init(line: Int, message: String, hint: String) {
        (self.line, self.message, self.hint) = (line, message, hint)
    }
}

extension ReportHeader {
    /// Reads the comment lines at the start of a report's text.
    package init(parsing text: String) throws(MalformedReportHeader) {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw MalformedReportHeader(
                line: 1, message: "the file is empty",
                hint: "receiptmill report --show-sql refunds prints a report to copy")
        }
        let lines = Self.commentLines(of: text)
        guard let first = lines.first, let colon = first.text.firstIndex(of: ":") else {
            throw MalformedReportHeader(
                line: 1, message: "the report has no title",
                hint: "start the file with a comment such as: -- refunds: Refunds by product and month")
        }
        name = first.text[..<colon].trimmed
        title = first.text[colon...].dropFirst().trimmed
        guard HeaderFields.isIdentifier(name, joinedBy: "-"), name.last != "-", !title.isEmpty else {
            throw MalformedReportHeader(
                line: 1, message: "the first line is not a name and a title",
                hint: "write the report's name, lower-case words joined by hyphens, a colon and a title")
        }
        lineCount = lines.count

        let sections = HeaderSections(lines: lines.dropFirst())
        question = sections.preamble
        guard !question.isEmpty else {
            throw MalformedReportHeader(
                line: 2, message: "the report has no question",
                hint: "say below the title, in plain words, what the report answers")
        }
        if let fault = sections.fault { throw fault }
        grain = try sections.grain()
        (parameters, parameterLines) = try sections.values(
            of: .parameters, ReportParameter.init(parsing:), named: { "parameter :\($0.name)" })
        try ReportParameter.checkBounds(parameters, lines: parameterLines)
        _ = try sections.requiredText(of: .columns)
        (columns, columnLines) = try sections.values(
            of: .columns, ReportColumn.init(parsing:), named: { "column \($0.name)" })
        let texts = sections.text(of: .chart)?.split(separator: "\n").map(\.trimmed) ?? []
        for (index, text) in texts.enumerated() {
            charts.append(try ReportChart(parsing: text, line: sections.line(of: .chart) + index, columns: columns))
        }
        panels = try ReportPanel.panels(of: sections, report: name, columns: columns)
        notes = sections.text(of: .notes)
        example = try sections.requiredText(of: .example)
        try readTables(sections)

        for column in grain where !columns.contains(where: { $0.name == column }) {
            throw sections.fault(
                of: .grain, "the grain names \(column), which is no column",
                hint: "list it under Columns, or take it out of the grain")
        }
    }

    /// The leading comment lines, without their dashes and one space, each with its line number in the file.
    package static func commentLines(of text: String) -> [HeaderEntry] {
        text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("--") }.enumerated().map {
            let content = $1.dropFirst($1.hasPrefix("-- ") ? 3 : 2)
            return HeaderEntry(line: $0 + 1, text: String(content.trimmedAtEnd))
        }
    }
}

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
