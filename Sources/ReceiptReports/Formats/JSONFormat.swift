internal import MillJSON

/// One JSON array of objects, one object a line, keys in the order of columns.
///
/// Integers are written in full: a reader that takes every number for a double
/// loses digits beyond 2^53.
struct JSONFormat: ReportFormat {
    private var columns: [String] = []
    private var isFirst = true

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        columns = header.columns.map { JSONText.quoted($0.name) }
        text += "["
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        text += isFirst ? "\n  " : ",\n  "
        isFirst = false
        JSONText.append(values, under: columns, to: &text)
    }

    mutating func end(into text: inout String) { text += isFirst ? "]\n" : "\n]\n" }
}
