internal import MillJSON

/// One JSON object a line, keys in the order of columns.
struct JSONLinesFormat: ReportFormat {
    private var columns: [String] = []

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        columns = header.columns.map { JSONText.quoted($0.name) }
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        JSONText.append(values, under: columns, to: &text)
        text += "\n"
    }

    mutating func end(into text: inout String) {}
}
