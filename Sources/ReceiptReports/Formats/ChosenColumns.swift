/// A format that gets some of a report's columns, as if the report had no others.
struct ChosenColumns: ReportFormat {
    var format: any ReportFormat
    let names: [String]
    private var places: [Int] = []

    init(_ names: [String], in format: any ReportFormat) {
        self.names = names
        self.format = format
    }

    mutating func begin(_ header: ReportHeader, into text: inout String) {
        places = header.places(of: names)
        format.begin(header.keeping(places), into: &text)
    }

    mutating func row(_ values: [ReportValue], into text: inout String) {
        format.row(places.map { values[$0] }, into: &text)
    }

    mutating func end(into text: inout String) { format.end(into: &text) }
}
