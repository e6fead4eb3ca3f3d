/// The comment at the beginning of a file of `sql/` with one table or view: the meaning of a row and of each column.
///
/// The comment has paragraphs, then lines of `Field: value`, then `Columns:` with a line for each column. Two or more
/// blanks separate a column's words; a line with a deeper indentation continues the meaning above.
package struct ObjectHeader: Sendable {
    package struct Column: Sendable, Hashable {
        package let name: String
        /// A type of SQLite's STRICT tables; nil where the header states none, as views may.
        package let type: String?
        /// Whether `!` after the type declares that every row has a value.
        package let isRequired: Bool
        /// The unit, such as `ms` or `milliunits`; `–` where there is none.
        package let unit: String
        package internal(set) var meaning: String
    }

    /// The paragraphs, one string for each.
    package private(set) var text: [String] = []
    /// Values of the fields, in the order of their lines.
    private var fields: [(name: String, value: String)] = []
    package private(set) var columns: [Column] = []

    static let types: Set<String> = ["INTEGER", "TEXT", "ANY", "REAL", "BLOB"]
    private static let fieldNames = [
        "Grain", "Key", "Index", "Slice", "Sums", "Reference", "Kept", "Numbered", "Catalog",
    ]

    package init(of file: String) {
        var (isInColumns, isParagraphOpen) = (false, false)
        for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("--") else { break }
            let content = line.dropFirst(2)
            if !content.hasPrefix("   ") { isInColumns = false }
            if content.allSatisfy({ $0 == " " }) {
                isParagraphOpen = false
            } else if content == " Columns:" {
                isInColumns = true
            } else if isInColumns, content.hasPrefix("   ") {
                readColumn(content)
            } else if let field = Self.fieldNames.first(where: { content.hasPrefix(" \($0): ") }) {
                fields.append((field, String(content.dropFirst(field.count + 3))))
            } else if isParagraphOpen {
                text[text.count - 1] += content
            } else {
                text.append(String(content.dropFirst()))
                isParagraphOpen = true
            }
        }
    }

    private mutating func readColumn(_ line: Substring) {
        let words = line.split(separator: "  ").map { $0.trimmingPrefix(" ") }
        guard line.prefix(while: { $0 == " " }).count == 3 else {
            if !columns.isEmpty { columns[columns.count - 1].meaning += " " + line.drop { $0 == " " } }
            return
        }
        let type = words.count > 1 ? words[1].split(separator: "!", omittingEmptySubsequences: false) : []
        let isTyped = type.first.map { Self.types.contains(String($0)) } ?? false
        columns.append(
            Column(
                name: String(words[0]), type: isTyped ? String(type[0]) : nil, isRequired: isTyped && type.count > 1,
                unit: words.count > 2 ? String(words[isTyped ? 2 : 1]) : "–",
                meaning: words.count > 3 ? words.dropFirst(3).joined(separator: "  ") : ""))
    }

    func values(of field: String) -> [String] { fields.filter { $0.name == field }.map(\.value) }
}
