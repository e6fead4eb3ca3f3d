internal import MillDatabase
internal import ReceiptSQL

/// Which views read which, by the names in their SQL.
struct ViewReferences: Sendable {
    /// The names that each view's SQL holds, in lower case.
    private let names: [String: Set<String>]

    /// The project's own views.
    static let builtIn = ViewReferences(SQLFile.views.map { ($0.name, $0.text) })

    init(_ views: [(name: String, sql: String)]) {
        names = Dictionary(views.map { ($0.name, Self.names(in: $0.sql)) }) { first, _ in first }
    }

    /// The names that some SQL holds, in lower case.
    static func names(in sql: String) -> Set<String> {
        Set(SQLTokens(sql).lazy.filter { $0.kind == .word || $0.kind == .quoted }.map { $0.text.lowercased() })
    }

    /// The views that read a table or a view, directly or through others.
    func readers(of source: String) -> Set<String> {
        var readers: Set<String> = []
        var rest = [source]
        while let next = rest.popLast() {
            for (view, names) in names where view != next && names.contains(next) {
                if readers.insert(view).inserted { rest.append(view) }
            }
        }
        return readers
    }
}

extension Report {
    /// Whether the statement reads a view, directly or through the project's own views.
    package func reads(_ view: String) -> Bool {
        let names = ViewReferences.names(in: sql)
        return names.contains(view) || !names.isDisjoint(with: ViewReferences.builtIn.readers(of: view))
    }
}
