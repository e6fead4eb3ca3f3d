/// A token of SQL, with its line.
package struct SQLToken: Hashable {
    package enum Kind: Hashable {
        /// A keyword, a name or a number.
        case word
        /// A name or a text in quotes or brackets.
        case quoted
        /// A parameter: `:name`, `?`, `?1`, `@name` or `$name`.
        case parameter
        case sign
    }

    package var kind: Kind
    /// The token without quotes; a parameter keeps its first sign.
    package var text: String
    /// The number of the token's line, from 1.
    package var line: Int

    /// Whether the token may be a name. SQLite ignores case in names.
    package func isName(_ name: String) -> Bool {
        (kind == .word || kind == .quoted) && text.lowercased() == name.lowercased()
    }
}

/// The tokens of a statement by SQLite's rules (https://sqlite.org/lang.html), without white space and comments. An
/// unclosed quote or comment extends to the end.
package struct SQLTokenizer: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private var line = 1

    package init(_ sql: String) { rest = Array(sql.utf8)[...] }

    package mutating func next() -> SQLToken? {
        while let first = rest.first {
            switch Unicode.Scalar(first) {
            case "\t"..."\r", " ": _ = take(1)
            case "-" where rest.starts(with: "--".utf8): _ = take(rest.prefix { $0 != 0x0a }.count)
            case "/" where rest.starts(with: "/*".utf8): _ = take(commentCount)
            case "'", "\"", "`", "[":
                let line = line
                let (count, isClosed) = quotedCount
                let text = take(count).dropFirst().dropLast(isClosed ? 1 : 0)
                return SQLToken(kind: .quoted, text: String(decoding: text, as: UTF8.self), line: line)
            case "?", ":", "@", "$":
                let count = 1 + rest.dropFirst().prefix(while: Self.isOfWord).count
                return token(first == UInt8(ascii: "?") || count > 1 ? .parameter : .sign, count)
            default:
                let count = rest.prefix(while: Self.isOfWord).count
                return token(count > 0 ? .word : .sign, Swift.max(count, 1))
            }
        }
        return nil
    }

    private mutating func token(_ kind: SQLToken.Kind, _ count: Int) -> SQLToken {
        SQLToken(kind: kind, text: String(decoding: take(count), as: UTF8.self), line: line)
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let taken = rest.prefix(count)
        line += taken.count { $0 == 0x0a }
        rest = rest.dropFirst(count)
        return taken
    }

    /// The length of the next comment in bytes.
    private var commentCount: Int {
        var index = rest.startIndex + 2
        while index < rest.endIndex, !rest[index...].starts(with: "*/".utf8) { index += 1 }
        return index + 2 - rest.startIndex
    }

    /// The length of the next quoted token in bytes, including the quotes; a doubled quote is part of the token.
    private var quotedCount: (count: Int, isClosed: Bool) {
        let isBracket = rest.first == UInt8(ascii: "[")
        let quote = isBracket ? UInt8(ascii: "]") : rest.first
        var index = rest.startIndex + 1
        while let end = rest[index...].firstIndex(where: { $0 == quote }) {
            index = end + 1
            if isBracket || rest[index...].first != quote { return (index - rest.startIndex, true) }
            index += 1
        }
        return (rest.count, false)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
