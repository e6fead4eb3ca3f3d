internal import GRDB
internal import ReceiptSQL

/// A view whose rows are kept in a table, so that who asks need not work them out.
///
/// The view's file is the definition, which `check` and other engines run as it is. While
/// nothing has changed since the rows were worked out, the view in the database reads the
/// table `fact_NAME`; otherwise it is the definition. It is exact at any moment, and slow at
/// some. A file under `sql/facts` names each such view, with the indices of its table.
struct Fact: Sendable {
    let name: String
    /// The definition's statement, `CREATE VIEW …;`.
    let definition: String
    /// Statements that make the table's indices, if any.
    let indices: String

    var table: String { "fact_\(name)" }

    /// Every fact, those that others are worked out of first.
    static let all: [Fact] = ordered(
        SQLFile.files(in: "facts").compactMap { file in
            SQLFile.files(in: "views").first { $0.name == file.name }.map { view in
                Fact(name: file.name, definition: view.text, indices: file.text)
            }
        })

    /// The view while the table holds its rows: up to the names of its columns. The comment shows the definition to
    /// whoever looks at the database's schema.
    private var keptBeginning: String {
        """
        CREATE VIEW \(name) AS
        /* The rows of this statement, kept in a table:
        \(select)
        */
        SELECT
        """
    }

    /// The definition without the comments before it and the semicolon behind.
    var statement: String { "CREATE VIEW \(name) AS\n\(select)" }

    /// The definition's query, which has no comment in SQLite's other form.
    private var select: Substring {
        let start = definition.firstRange(of: "CREATE VIEW \(name) AS\n")?.upperBound ?? definition.startIndex
        return definition[start...].dropLast(2)
    }

    /// Whether a view's text is that of one whose rows are kept by this very definition.
    func isKept(by text: String) -> Bool { text.utf8.starts(with: keptBeginning.utf8) }

    /// The view that reads the table.
    func keptView(columns: [String]) -> String {
        "\(keptBeginning) \(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")) FROM \(table)"
    }

    private static func ordered(_ facts: [Fact]) -> [Fact] {
        let sources = Dictionary(
            uniqueKeysWithValues: SQLFile.files(in: "views").map { ($0.name, words(of: $0.text)) })
        var ordered: [Fact] = []
        var met: Set<String> = []
        func visit(_ name: String) {
            guard met.insert(name).inserted, let words = sources[name] else { return }
            for source in words.sorted() { visit(source) }
            if let fact = facts.first(where: { $0.name == name }) { ordered.append(fact) }
        }
        for fact in facts { visit(fact.name) }
        return ordered
    }

    /// The words of some SQL without its comments.
    private static func words(of sql: String) -> Set<String> {
        var words: Set<String> = []
        for line in sql.split(separator: "\n") where !line.drop(while: { $0 == " " }).hasPrefix("--") {
            for word in line.split(whereSeparator: { !($0 == "_" || $0.isLetter || $0.isNumber) }) {
                words.insert(String(word))
            }
        }
        return words
    }
}
