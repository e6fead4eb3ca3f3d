/// The fields of an entry, cut at white space; single quotes hold one together.
struct HeaderFields {
    private var remainder: Substring

    init(_ text: String) { remainder = text[...] }

    /// What is left, as one text.
    var rest: String { String(remainder).trimmed }

    /// The next field, nil at the end or where a quote is not closed.
    mutating func next() -> (text: String, isQuoted: Bool)? {
        remainder = remainder.drop(while: \.isWhitespace)
        guard let first = remainder.first else { return nil }
        guard first == "'" else {
            let field = remainder.prefix { !$0.isWhitespace }
            remainder = remainder.dropFirst(field.count)
            return (String(field), false)
        }
        let body = remainder.dropFirst()
        guard let end = body.firstIndex(of: "'") else { return nil }
        remainder = body[body.index(after: end)...]
        return (String(body[..<end]), true)
    }

    /// Whether a name is lower-snake-case.
    static func isIdentifier(_ name: Substring) -> Bool {
        guard let first = name.first, first.isASCII, first.isLowercase else { return false }
        return name.allSatisfy { $0 == "_" || ($0.isASCII && ($0.isLowercase || $0.isNumber)) }
    }
}

extension String {
    /// Without white space at either end.
    var trimmed: String {
        var text = self[...]
        text = text.drop(while: \.isWhitespace)
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
