internal import GRDB
internal import ReceiptSQL

/// A view whose rows are kept in a table, so that who asks need not work them out.
///
/// The view's file is the definition, which `check` and other engines run as it is. While
/// nothing has changed since the rows were worked out, the view in the database reads the
/// table `fact_NAME`; otherwise it is the definition. It is exact at any moment, and slow at
/// some. A file under `sql/facts` names each such view, with its upkeep and the key of
/// its table. Loads work out those that they can bring up to date; others are left to the first
/// report that reads them (``FactKeeper``).
struct Fact: Sendable {
    let name: String
    /// The definition's statement, `CREATE VIEW …;`.
    let definition: String
    /// The definition's query, without the comments before it and the semicolon behind; it has no comment in SQLite's
    /// other form.
    let select: String
    /// The view while the table holds its rows: up to the names of its columns. The comment shows the definition to
    /// whoever looks at the database's schema.
    private let keptBeginning: String
    let upkeep: Upkeep
    /// Columns by which rows are looked up, and none has two; empty where the table is read whole.
    let key: [String]
    /// Names of the facts that the definition reads, also through other views.
    let sources: Set<String>

    /// What a load's rows change in the table, given the rows that they are connected with.
    enum Upkeep: Sendable {
        /// The rows that fulfil this condition are about the connected rows, and about no others.
        case rows(String)
        /// Rows that are alike but for these columns are one, in which these are added up; the first counts what is
        /// added up, and is never 0.
        case sums([String])
        /// As sums, but each of these columns is the greatest, which a load never lowers. Definitions of rows may ask
        /// whether such a row is there, and no more.
        case greatest([String])
        /// Rows about many customers, which a load seldom changes: where it does, what reads them changes as a whole.
        case steady
        /// Any row can change with any load, so that none works them out: a report does.
        case whole

        init(_ fields: [String: String]) {
            if let condition = fields["Rows"] {
                self = .rows(condition)
            } else if let columns = fields["Sums"] {
                self = .sums(Fact.names(columns))
            } else if let columns = fields["Greatest"] {
                self = .greatest(Fact.names(columns))
            } else if fields["Steady"] != nil {
                self = .steady
            } else {
                self = .whole
            }
        }
    }

    /// - Parameter file: lines of `-- Field: value`: one of `Rows`, `Sums`, `Greatest`, `Steady` and `Whole` for the
    ///   upkeep, and perhaps `Key`.
    private init(_ name: String, definition: String, file: String, sources: Set<String>) {
        let fields = file.split(separator: "\n").reduce(into: [String: String]()) { fields, line in
            guard let colon = line.firstRange(of: ": ") else { return }
            fields[String(line[..<colon.lowerBound].dropFirst("-- ".count))] = String(line[colon.upperBound...])
        }
        self.name = name
        self.definition = definition
        self.sources = sources
        let beginning = "CREATE VIEW \(name) AS\n"
        let start = definition.utf8.firstRange(of: beginning.utf8)?.upperBound ?? definition.startIndex
        select = String(definition[start...].dropLast(2))
        keptBeginning = """
            \(beginning)/* The rows of this statement, kept in a table:
            \(select)
            */
            SELECT
            """
        upkeep = Upkeep(fields)
        key = fields["Key"].map(Self.names) ?? []
    }

    private static func names(_ list: String) -> [String] {
        list.split(separator: ",").map { String($0.trimmingPrefix(" ")) }
    }

    var table: String { "fact_\(name)" }

    /// Whether reports work out the rows, and loads do not.
    var isLeftToReports: Bool { if case .whole = upkeep { true } else { false } }

    /// Every fact, those that others are worked out of first.
    static let all: [Fact] = {
        let views = Dictionary(uniqueKeysWithValues: SQLFile.files(in: "views").map { ($0.name, $0.text) })
        let files = Dictionary(uniqueKeysWithValues: SQLFile.files(in: "facts").map { ($0.name, $0.text) })
        let direct = viewReadings
        var ordered: [Fact] = []
        var sources: [String: Set<String>] = [:]
        /// The facts that a view is worked out of, itself included.
        func visit(_ name: String) -> Set<String> {
            if let known = sources[name] { return known }
            sources[name] = []
            var found = (direct[name] ?? []).sorted().filter { $0 != name && views[$0] != nil }
                .reduce(into: Set<String>()) { $0.formUnion(visit($1)) }
            if let definition = views[name], let file = files[name] {
                ordered.append(Fact(name, definition: definition, file: file, sources: found))
                found.insert(name)
            }
            sources[name] = found
            return found
        }
        for name in files.keys.sorted() { _ = visit(name) }
        return ordered
    }()

    /// The definition without the comments before it and the semicolon behind.
    var statement: String { "CREATE VIEW \(name) AS\n\(select)" }

    /// Whether a view's text is that of one whose rows are kept by this very definition.
    func isKept(by text: String) -> Bool { text.utf8.starts(with: keptBeginning.utf8) }

    /// The view that reads the table.
    func keptView(columns: [String]) -> String {
        "\(keptBeginning) \(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")) FROM \(table)"
    }

    /// What each of the project's views reads from.
    private static let viewReadings = Dictionary(
        uniqueKeysWithValues: SQLFile.files(in: "views").map { ($0.name, readings(of: $0.text)) })

    /// The views of the project that some SQL reads, directly or through others.
    static func views(readBy sql: String) -> Set<String> {
        var found: Set<String> = []
        var rest = Array(readings(of: sql))
        while let next = rest.popLast() {
            guard let further = viewReadings[next], found.insert(next).inserted else { continue }
            rest += further
        }
        return found
    }

    /// What some SQL reads from: the names behind FROM and JOIN.
    private static func readings(of sql: String) -> Set<String> {
        var sources: Set<String> = []
        for line in sql.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(whereSeparator: " ();".utf8.contains)
            guard words.first?.starts(with: "--".utf8) != true else { continue }
            for (word, next) in zip(words, words.dropFirst()) where word.count == 4 {
                let lowercase = word.lazy.map { $0 | 0x20 }
                guard lowercase.elementsEqual("from".utf8) || lowercase.elementsEqual("join".utf8) else { continue }
                sources.insert(String(Substring(next)))
            }
        }
        return sources
    }
}
