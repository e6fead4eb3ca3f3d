/// The comment at the beginning of an SQL file with one table or view, which describes the meaning of a row and of each
/// column.
///
/// The comment has paragraphs, then lines of the form `Field: value`, then `Columns:` with a line for each column. Two
/// or more blanks separate a column's words; a line with a deeper indentation continues the meaning above.
package struct ObjectHeader: Sendable {
    package struct Column: Sendable, Hashable {
        package let name: String
        /// A type of SQLite's STRICT tables; nil if the header states none, as views may.
        package let type: String?
        /// Whether `!` after the type declares that every row has a value.
        package let isRequired: Bool
        /// The unit, such as `ms` or `milliunits`; `–` if there is none.
        package let unit: String
        package internal(set) var meaning: String
    }

    /// Values of the fields, in the order of their lines.
    private var fields: [(name: String, value: String)] = []
    package private(set) var columns: [Column] = []

    static let types: Set<String> = ["INTEGER", "TEXT", "ANY", "REAL", "BLOB"]
    private static let fieldNames: Set<String> = [
        "Grain", "Key", "Index", "Slice", "Sums", "Reference", "Kept", "Numbered", "Catalog",
    ]

    // Every start of the program reads all headers, so lines are processed as bytes: characters cost ten times as much.
    package init(of file: String) {
        var isInColumns = false
        var rest = file.utf8[...]
        while rest.starts(with: "--".utf8) {
            let content = rest.prefix { $0 != UInt8(ascii: "\n") }.dropFirst(2)
            rest = rest[content.endIndex...].dropFirst()
            if !content.starts(with: "   ".utf8) { isInColumns = content.elementsEqual(" Columns:".utf8) }
            if isInColumns, content.starts(with: "   ".utf8) {
                readColumn(content)
            } else if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
                let name = String(Substring(content[..<colon].dropFirst()))
                if Self.fieldNames.contains(name) {
                    fields.append((name, String(Substring(content[colon...].dropFirst(2)))))
                }
            }
        }
    }

    private mutating func readColumn(_ line: Substring.UTF8View) {
        var words = Words(rest: line.dropFirst(3))
        guard words.rest.first != UInt8(ascii: " ") else {
            let more = String(Substring(words.rest.drop { $0 == UInt8(ascii: " ") }))
            if !columns.isEmpty { columns[columns.count - 1].meaning += " " + more }
            return
        }
        let (name, second, third) = (words.next(), words.next(), words.next())
        let type = second.last == "!" ? String(second.dropLast()) : second
        let isTyped = Self.types.contains(type)
        let unit = isTyped ? third : second
        columns.append(
            Column(
                name: name, type: isTyped ? type : nil, isRequired: isTyped && type != second,
                unit: unit.isEmpty ? "–" : unit, meaning: String(Substring(words.rest))))
    }

    /// The words of a line, separated by two or more blanks.
    private struct Words {
        var rest: Substring.UTF8View

        /// The next word; empty at the end.
        mutating func next() -> String {
            var end = rest.startIndex
            while end < rest.endIndex, !rest[end...].starts(with: "  ".utf8) { rest.formIndex(after: &end) }
            let word = String(Substring(rest[..<end]))
            rest = rest[end...].drop { $0 == UInt8(ascii: " ") }
            return word
        }
    }

    func values(of field: String) -> [String] { fields.filter { $0.name == field }.map(\.value) }
}
