internal import MillSystem

/// The fields of an entry in a header, separated by white space; single quotes allow white space within a field.
struct HeaderFields {
    private var remainder: Substring

    init(_ text: String) { remainder = text[...] }

    /// The text after the fields that were read.
    var rest: String { remainder.trimmed }

    /// The next field; nil at the end, or if a quote is not closed.
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

    /// Reads fields of the form `role=text`, each role at most once, up to the first other field, which is returned as
    /// `stranger`.
    mutating func roles(_ known: [String]) -> (texts: [String: String], stranger: String?) {
        var texts: [String: String] = [:]
        while let field = next()?.text {
            let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, known.contains(parts[0]), texts.updateValue(parts[1], forKey: parts[0]) == nil
            else { return (texts, field) }
        }
        return (texts, nil)
    }

    /// The next field as a type, with the text in the brackets after it; nil at the end, or if a bracket is not closed.
    mutating func nextType() -> (name: String, detail: String?)? {
        remainder = remainder.drop(while: \.isWhitespace)
        let name = remainder.prefix { !$0.isWhitespace && $0 != "(" }
        let behind = remainder.dropFirst(name.count)
        guard !name.isEmpty else { return nil }
        guard behind.first == "(" else {
            remainder = behind
            return (String(name), nil)
        }
        guard let end = behind.firstIndex(of: ")") else { return nil }
        remainder = behind[behind.index(after: end)...]
        guard remainder.first?.isWhitespace ?? true else { return nil }
        return (String(name), behind[..<end].dropFirst().trimmed)
    }

    /// Whether a name consists of lower-case words, joined by underscores or by another character.
    static func isIdentifier(_ name: some StringProtocol, joinedBy joint: Character = "_") -> Bool {
        guard let first = name.first, first.isASCII, first.isLowercase else { return false }
        return name.allSatisfy { $0 == joint || ($0.isASCII && ($0.isLowercase || $0.isNumber)) }
    }
}
