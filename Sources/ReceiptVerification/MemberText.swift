internal import ReceiptArchive

/// A text with members: a form, or a row of a table with the names of its columns.
struct MemberText {
    typealias Member = (key: Range<Int>, value: Range<Int>)

    /// The decoded names and values.
    var content: [UInt8] = []
    /// The places of names and values in the content.
    var members: [Member] = []

    init() {}

    /// Nil if the row does not fit the header.
    init?(row line: Span<UInt8>, _ range: Range<Int>, of header: TableHeader, hasEscapes: Bool) {
        guard let row = header.fields(of: line, range, hasEscapes: hasEscapes) else { return nil }
        content = row.content
        for (name, field) in zip(header.names, row.fields) {
            // MySQL writes NULL for a missing value.
            if row.content[field].elementsEqual("NULL".utf8) { continue }
            members.append((content.count..<content.count + name.count, field))
            content += name
        }
    }
}
