/// The tables and views that a statement reads, found by the names after FROM and JOIN.
package enum TableNames {
    /// The names in lower case, without names in another schema, such as `main.apps`, and without names that the
    /// statement's WITH defines.
    package static func read(by sql: String) -> Set<String> {
        let tokens = Array(SQLTokenizer(sql))
        var names: Set<String> = []
        var defined: Set<String> = []
        /// For each open bracket, whether another table may follow a comma.
        var isList = [false]
        var isExpected = false
        for (index, token) in tokens.enumerated() {
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            if token.kind == .sign {
                switch token.text {
                case "(": isList.append(isExpected)
                case ")":
                    if isList.count > 1 { isList.removeLast() }
                    isExpected = false
                case ",": isExpected = isList[isList.count - 1]
                default: isExpected = false
                }
                continue
            }
            let word = token.text.lowercased()
            if token.kind == .word, ["from", "join"].contains(word) {
                isList[isList.count - 1] = true
                isExpected = true
            } else if token.kind == .word, endsOfList.contains(word) {
                isList[isList.count - 1] = false
                isExpected = false
            } else if token.kind != .parameter {
                if isExpected, !isSign(next, "."), !isSign(next, "(") { names.insert(word) }
                isExpected = false
                if isDefinition(tokens, at: index) { defined.insert(word) }
            }
        }
        return names.subtracting(defined)
    }

    private static let endsOfList: Set = [
        "select", "values", "where", "group", "having", "window", "order", "limit", "union", "except", "intersect",
    ]

    private static func isSign(_ token: SQLToken?, _ text: String) -> Bool {
        token?.kind == .sign && token?.text == text
    }

    /// Whether a WITH defines the name, as in `apps AS (` or `apps(app_id) AS MATERIALIZED (`.
    private static func isDefinition(_ tokens: [SQLToken], at index: Int) -> Bool {
        guard index > 0, ["with", "recursive", ","].contains(tokens[index - 1].text.lowercased()) else { return false }
        var rest = tokens[(index + 1)...]
        if isSign(rest.first, "("), let end = rest.firstIndex(where: { isSign($0, ")") }) {
            rest = tokens[(end + 1)...]
        }
        guard rest.first?.isName("as") == true else { return false }
        return isSign(rest.dropFirst().first { !$0.isName("not") && !$0.isName("materialized") }, "(")
    }
}
