/// A word, a name in quotes, a text, a parameter or a sign of SQL, with its line.
package struct SQLToken: Hashable {
    package enum Kind: Hashable {
        /// A keyword, a name or a number.
        case word
        /// What stands between quotes or in brackets: a name, or a text.
        case quoted
        /// `:name`, `?`, `?1`, `@name` or `$name`.
        case parameter
        case sign
    }

    package var kind: Kind
    /// Without quotes; of a parameter with what it begins with.
    package var text: String
    /// Counted from 1.
    package var line: Int

    /// Whether it may be a name: SQLite compares names without case.
    func isName(_ name: String) -> Bool {
        (kind == .word || kind == .quoted) && text.lowercased() == name.lowercased()
    }
}

/// The tokens of SQL as SQLite cuts it (https://sqlite.org/lang.html), without
/// white space and comments. What is not closed reaches to the end.
package struct SQLTokens: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var place = 0
    private var line = 1

    init(_ sql: String) { bytes = Array(sql.utf8) }

    package mutating func next() -> SQLToken? {
        skipSpaceAndComments()
        guard place < bytes.count else { return nil }
        let start = place
        let startLine = line
        let first = bytes[place]
        func token(_ kind: SQLToken.Kind, _ range: Range<Int>) -> SQLToken {
            SQLToken(kind: kind, text: String(decoding: bytes[range], as: UTF8.self), line: startLine)
        }
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
            let end = skipQuoted(until: first == UInt8(ascii: "[") ? UInt8(ascii: "]") : first)
            return token(.quoted, start + 1..<end)
        case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"):
            place += 1
            skipWord()
            let isParameter = first == UInt8(ascii: "?") || place > start + 1
            return token(isParameter ? .parameter : .sign, start..<place)
        default:
            skipWord()
            if place > start { return token(.word, start..<place) }
            place += 1
            return token(.sign, start..<place)
        }
    }

    private mutating func skipSpaceAndComments() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x0a: advance()
            case 0x09, 0x0b, 0x0c, 0x0d, 0x20: place += 1
            case UInt8(ascii: "-") where byte(at: place + 1) == UInt8(ascii: "-"):
                while place < bytes.count, bytes[place] != 0x0a { place += 1 }
            case UInt8(ascii: "/") where byte(at: place + 1) == UInt8(ascii: "*"):
                place += 2
                while place < bytes.count,
                    !(bytes[place] == UInt8(ascii: "*") && byte(at: place + 1) == UInt8(ascii: "/"))
                {
                    advance()
                }
                place = Swift.min(place + 2, bytes.count)
            default: return
            }
        }
    }

    /// Skips what stands in quotes; one that is doubled is part of it.
    ///
    /// - Returns: where the quote that closes it stands.
    private mutating func skipQuoted(until quote: UInt8) -> Int {
        place += 1
        while place < bytes.count {
            if bytes[place] == quote {
                guard quote != UInt8(ascii: "]"), byte(at: place + 1) == quote else {
                    place += 1
                    return place - 1
                }
                place += 1
            }
            advance()
        }
        return place
    }

    private mutating func skipWord() {
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
                place += 1
            default: return
            }
        }
    }

    private mutating func advance() {
        if bytes[place] == 0x0a { line += 1 }
        place += 1
    }

    private func byte(at place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }
}
