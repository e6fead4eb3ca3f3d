internal import MillJSON
internal import MillSystem
internal import ReceiptFormat

/// The members of a JSON object, as far as they can be read.
struct JSONListing {
    struct Member {
        /// The key without escapes; of an array's element its index in brackets.
        let name: DocumentText
        let kind: JSONToken.Kind
        /// The value as it is written; of one that is cut short, up to where it ends.
        let written: [UInt8]
        /// A string without escapes; nil for other values.
        let text: DocumentText?
        /// A number without its fraction, towards the past; nil for other values.
        let integer: Int64?
        /// Those of an object or array.
        var members: [Member] = []
        /// Whether the value is whole.
        var isWhole = true
    }

    private(set) var members: [Member] = []
    /// What is wrong with the text; nil where it is one object.
    private(set) var fault: InvalidJSON?
    private var count = 0

    /// Objects and arrays inside one another that are opened. The store's have four.
    private static let maximumDepth = 8
    /// Members that are shown. The store's have some fifty.
    static let maximumMembers = 1_024

    /// - Parameter bytes: the text, which may break off anywhere.
    init(reading bytes: [UInt8]) {
        let isValid = UTF8Validation.isValid(bytes.span, in: ByteRange(offset: 0, count: bytes.count))
        let text = isValid ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
        var cursor = JSONCursor(text.span, in: text.indices, mayHoldControls: true)
        cursor.skipWhitespace()
        var members: [Member] = []
        do throws(InvalidJSON) {
            try readObject(&cursor, into: &members, depth: 0)
            cursor.skipWhitespace()
            guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
        } catch {
            fault = error
        }
        self.members = members
        if fault == nil, !isValid { fault = InvalidJSON(what: "not UTF-8", offset: 0) }
    }

    private mutating func readObject(
        _ cursor: inout JSONCursor, into members: inout [Member], depth: Int
    ) throws(InvalidJSON) {
        var isFirst = true
        while let key = try cursor.nextKey(&isFirst) {
            try readMember(Self.text(key, cursor.bytes), &cursor, into: &members, depth: depth)
        }
    }

    private mutating func readMember(
        _ name: DocumentText, _ cursor: inout JSONCursor, into members: inout [Member], depth: Int
    ) throws(InvalidJSON) {
        count += 1
        guard count <= Self.maximumMembers else {
            throw cursor.failure("more than \(Self.maximumMembers) members; those beyond are not shown")
        }
        let opening = cursor.next
        guard opening == UInt8(ascii: "{") || opening == UInt8(ascii: "["), depth < Self.maximumDepth else {
            let start = cursor.position
            do throws(InvalidJSON) {
                members.append(Self.member(name, try cursor.readValue(depth: depth), cursor.bytes))
            } catch {
                members.append(Self.cut(name, .string, cursor, from: start, members: []))
                throw error
            }
            return
        }
        let start = cursor.position
        let kind = opening == UInt8(ascii: "{") ? JSONToken.Kind.object : .array
        var inner: [Member] = []
        do throws(InvalidJSON) {
            if kind == .object {
                try readObject(&cursor, into: &inner, depth: depth + 1)
            } else {
                var isFirst = true
                while try cursor.nextValue(&isFirst) {
                    try readMember("[\(inner.count)]", &cursor, into: &inner, depth: depth + 1)
                }
            }
        } catch {
            members.append(Self.cut(name, kind, cursor, from: start, members: inner))
            throw error
        }
        var member = Self.member(name, JSONToken(kind: kind, range: start..<cursor.position), cursor.bytes)
        member.members = inner
        members.append(member)
    }

    private static func member(_ name: DocumentText, _ token: JSONToken, _ bytes: Span<UInt8>) -> Member {
        let quote = token.kind == .string ? 1 : 0
        let written = (token.range.lowerBound - quote)..<(token.range.upperBound + quote)
        return Member(
            name: name, kind: token.kind, written: written.map { bytes[$0] },
            text: token.kind == .string ? text(token, bytes) : nil,
            integer: token.kind == .number ? integer(token, bytes) : nil)
    }

    /// What there is of a value that breaks off.
    private static func cut(
        _ name: DocumentText, _ kind: JSONToken.Kind, _ cursor: borrowing JSONCursor, from start: Int, members: [Member]
    ) -> Member {
        let bytes = cursor.bytes
        return Member(
            name: name, kind: kind, written: (start..<bytes.count).map { bytes[$0] }, text: nil, integer: nil,
            members: members, isWhole: false)
    }

    private static func text(_ token: JSONToken, _ bytes: Span<UInt8>) -> DocumentText {
        let unescaped = token.hasEscapes ? JSONString.unescaped(bytes, in: token.range) : nil
        return DocumentText(decoding: unescaped ?? token.range.map { bytes[$0] })
    }

    private static func integer(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        if let exact = JSONNumber.integer(bytes, in: token.range) { return exact }
        return JSONNumber.double(bytes, in: token.range).flatMap { Int64(exactly: $0.rounded(.down)) }
    }
}

extension JSONListing.Member {
    /// The value for people: text without quotes, all else as it is written.
    var shown: DocumentText { text ?? DocumentText(decoding: written) }

    /// Members by name, at any depth.
    func all(named names: Set<DocumentText>) -> [JSONListing.Member] {
        (names.contains(name) ? [self] : []) + members.flatMap { $0.all(named: names) }
    }
}
