internal import MillJSON
internal import ReceiptFormat

/// A member of a JSON object, or an element of an array.
struct ListedMember {
    /// The key without escapes; for an element of an array, its index in brackets.
    let name: DocumentText
    /// The type of the value. A value that is cut short counts as a string, unless it is an object or array.
    let kind: JSONToken.Kind
    /// The characters of the value. If it is cut short, they extend to the end of the text.
    let written: [UInt8]
    /// The members of an object or the elements of an array.
    let members: [ListedMember]
    /// Whether the value is complete.
    let isWhole: Bool
}

/// The members of a JSON object, as far as they can be read.
struct JSONListing {
    private(set) var members: [ListedMember] = []
    /// The first fault of the text; nil if the text is one object.
    private(set) var fault: InvalidJSON?
    private var count = 0

    /// The maximum depth to which nested objects and arrays are listed. Apple's are four deep.
    private static let maximumDepth = 8
    /// The maximum number of members that are listed. Apple's documents have some fifty.
    static let maximumMembers = 1_024

    /// - Parameter bytes: the text, which may end anywhere.
    init(reading bytes: [UInt8]) {
        let isValid = UTF8Validation.isValid(bytes.span, in: ByteRange(offset: 0, count: bytes.count))
        let text = isValid ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
        var cursor = JSONCursor(text.span, in: text.indices, mayHoldControls: true)
        cursor.skipWhitespace()
        var members: [ListedMember] = []
        do throws(InvalidJSON) {
            try readMembers(of: .object, &cursor, into: &members, depth: 0)
            cursor.skipWhitespace()
            guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
        } catch {
            fault = error
        }
        self.members = members
        if fault == nil, !isValid { fault = InvalidJSON(what: "not UTF-8", offset: 0) }
    }

    /// Reads an object or an array; at a fault, `members` holds the members before the fault.
    private mutating func readMembers(
        of kind: JSONToken.Kind, _ cursor: inout JSONCursor, into members: inout [ListedMember], depth: Int
    ) throws(InvalidJSON) {
        var isFirst = true
        if kind == .object {
            while let key = try cursor.nextKey(&isFirst) {
                try readMember(ListedMember.text(of: key, cursor.bytes), &cursor, into: &members, depth: depth)
            }
        } else {
            while try cursor.nextValue(&isFirst) {
                try readMember("[\(members.count)]", &cursor, into: &members, depth: depth)
            }
        }
    }

    private mutating func readMember(
        _ name: DocumentText, _ cursor: inout JSONCursor, into members: inout [ListedMember], depth: Int
    ) throws(InvalidJSON) {
        count += 1
        guard count <= Self.maximumMembers else {
            throw cursor.failure("more than \(Self.maximumMembers) members; those beyond are not shown")
        }
        let start = cursor.position
        var kind: JSONToken.Kind = cursor.next == UInt8(ascii: "{") ? .object : .array
        let isOpened = (kind == .object || cursor.next == UInt8(ascii: "[")) && depth < Self.maximumDepth
        var inner: [ListedMember] = []
        var failure: InvalidJSON?
        do throws(InvalidJSON) {
            if isOpened {
                try readMembers(of: kind, &cursor, into: &inner, depth: depth + 1)
            } else {
                kind = .string
                kind = try cursor.readValue(depth: depth).kind
            }
        } catch {
            failure = error
        }
        let end = failure == nil ? cursor.position : cursor.bytes.count
        let written = (start..<end).map { cursor.bytes[$0] }
        members.append(ListedMember(name: name, kind: kind, written: written, members: inner, isWhole: failure == nil))
        if let failure { throw failure }
    }
}

extension ListedMember {
    /// The value if it is a complete string, without escapes; otherwise nil.
    var text: DocumentText? {
        guard kind == .string, isWhole else { return nil }
        let token = JSONToken(kind: .string, range: 1..<(written.count - 1), hasEscapes: true)
        return Self.text(of: token, written.span)
    }

    /// The value if it is a number, rounded down; otherwise nil.
    var integer: Int64? {
        guard kind == .number else { return nil }
        let digits = written.span
        return JSONNumber.integer(digits, in: written.indices)
            ?? JSONNumber.double(digits, in: written.indices).flatMap { Int64(exactly: $0.rounded(.down)) }
    }

    /// The value as shown to a reader: a string without quotes, any other value as written.
    var shown: String { (text ?? DocumentText(decoding: written)).string }

    /// The members with one of these names, at any depth.
    func all(named names: Set<DocumentText>) -> [ListedMember] {
        (names.contains(name) ? [self] : []) + members.flatMap { $0.all(named: names) }
    }

    /// The characters of a JSON string without its escapes.
    static func text(of token: JSONToken, _ bytes: Span<UInt8>) -> DocumentText {
        let unescaped = token.hasEscapes ? JSONString.unescaped(bytes, in: token.range) : nil
        return DocumentText(decoding: unescaped ?? token.range.map { bytes[$0] })
    }
}
