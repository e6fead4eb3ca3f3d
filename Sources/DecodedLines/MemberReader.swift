internal import MillJSON
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Reads members from JSON, in any order.
///
/// A visit of an object reads those members that follow in the order in which they are written, which is all of
/// them. Where one stood before, the object is visited again; a key that no visit takes is skipped.
struct MemberReader: MemberVisitor, ~Copyable, ~Escapable {
    private(set) var cursor: JSONCursor
    var contents: BatchContents
    private var object = ObjectAtHand()

    /// How far an object is read.
    private struct ObjectAtHand {
        /// The key whose value comes next; nil behind the object.
        var key: JSONToken?
        var isAtStart = true
        /// Whether this visit has taken a key.
        var hasTaken = false
        /// Place of the member among the object's, from 1.
        var member: UInt64 = 0
        /// Members that were read, a bit for each; nil where one may stand twice.
        var seen: UInt64?
    }

    @_lifetime(copy cursor)
    init(_ cursor: JSONCursor, into contents: consuming BatchContents) {
        self.cursor = cursor
        self.contents = contents
    }

    /// Goes on with another line.
    @_lifetime(self: copy cursor)
    mutating func begin(_ cursor: JSONCursor) {
        self.cursor = cursor
        self.cursor.skipWhitespace()
    }

    /// Refuses what follows a line's object.
    @_lifetime(self: copy self)
    mutating func endLine() throws(InvalidJSON) {
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
    }

    /// Reads an object, up to its closing brace.
    @_lifetime(self: copy self)
    mutating func read<Object: DecodedObject>(
        _ value: inout Object, behind others: [Object] = []
    ) throws(InvalidJSON) {
        let outer = object
        object = ObjectAtHand()
        object.seen = Object.refusesRepetition ? 0 : nil
        object.key = try cursor.nextKey(&object.isAtStart)
        while object.key != nil {
            object.hasTaken = false
            object.member = 0
            try value.visit(with: &self)
            guard !object.hasTaken else { continue }
            _ = try cursor.readValue(depth: 1)
            object.key = try cursor.nextKey(&object.isAtStart)
        }
        object = outer
        if let fault = value.fault(behind: others) { throw cursor.failure(fault) }
    }

    // MARK: Keys

    /// Whether the value that comes next is a member's.
    @_lifetime(self: copy self)
    mutating func takes(_ name: StaticString) throws(InvalidJSON) -> Bool {
        object.member += 1
        guard let key = object.key, key.range.count == name.utf8CodeUnitCount else { return false }
        let isName = cursor.bytes.extracting(key.range).withUnsafeBufferPointer { key in
            name.withUTF8Buffer { $0.elementsEqual(key) }
        }
        guard isName else { return false }
        if let seen = object.seen {
            guard seen >> object.member & 1 == 0 else { throw cursor.failure("a key stands twice") }
            object.seen = seen | 1 << object.member
        }
        return true
    }

    /// Moves behind a member that was read.
    @_lifetime(self: copy self)
    mutating func advance() throws(InvalidJSON) {
        object.key = try cursor.nextKey(&object.isAtStart)
        object.hasTaken = true
    }

    // MARK: Members

    @_lifetime(self: copy self)
    mutating func text(_ name: StaticString, _ value: inout ByteRange?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try readText()
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func text(_ name: StaticString, _ value: inout ByteRange) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try readText() ?? value
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func string(_ name: StaticString, _ value: inout String?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try readString()
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func string(_ name: StaticString, _ value: inout String) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try readString() ?? ""
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func integer(_ name: StaticString, _ value: inout Int64?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try cursor.readInteger()
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func count(_ name: StaticString, _ value: inout Int64?) throws(InvalidJSON) { try integer(name, &value) }

    @_lifetime(self: copy self)
    mutating func time(_ name: StaticString, _ value: inout Int64?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try readTime()
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func binary(_ name: StaticString, _ value: inout Bool?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        let number = try cursor.readInteger()
        guard number.map({ (0...1).contains($0) }) ?? true else { throw cursor.failure("expected 0 or 1") }
        value = number.map { $0 == 1 }
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func share(_ name: StaticString, _ value: inout Double?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        let token = try cursor.readValue(depth: 1)
        value = token.kind == .number ? JSONNumber.double(cursor.bytes, in: token.range) : nil
        guard token.kind == .null || value.map({ (0...1).contains($0) }) == true else {
            throw cursor.failure("expected a number from 0 to 1")
        }
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func flag(_ name: StaticString, _ value: inout Bool) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try cursor.readFlag()
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func hex(_ name: StaticString, _ value: inout ByteRange?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = nil
        if let token = try cursor.readText() {
            guard let decoded = Self.decoded(hex: token.range, cursor.bytes) else {
                throw cursor.failure("expected hexadecimal")
            }
            value = contents.bytes.append(decoded)
        }
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func digest(_ name: StaticString, _ value: inout SHA256Digest?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try readDigest()
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func fingerprint(_ name: StaticString, _ value: inout [UInt8]?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try readDigest().bytes
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func word<Word: DecodedWord>(_ name: StaticString, _ value: inout Word?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        let token = try cursor.readText()
        value = token.flatMap { token in
            cursor.bytes.extracting(token.range).withUnsafeBufferPointer { text in
                Word.allCases.first { $0.rawValue.utf8.elementsEqual(text) }
            }
        }
        guard value != nil else { throw cursor.failure("a word that this version does not know") }
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func derivedWord<Word: DecodedWord>(_ name: StaticString, _ value: Word?) throws(InvalidJSON) {
        try skip(name)
    }

    @_lifetime(self: copy self)
    mutating func versionKey(_ name: StaticString, of version: ByteRange?) throws(InvalidJSON) { try skip(name) }

    @_lifetime(self: copy self)
    private mutating func skip(_ name: StaticString) throws(InvalidJSON) {
        guard try takes(name) else { return }
        _ = try cursor.readValue(depth: 1)
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func types(_ name: StaticString, _ value: inout UndocumentedTypes) throws(InvalidJSON) {
        guard try takes(name) else { return }
        let level = value.level
        if let known = contents.types.skip(&cursor, where: { $0.level == level }) {
            value = known
        } else {
            let start = cursor.position
            value = UndocumentedTypes(level)
            var isFirst = true
            while try cursor.nextValue(&isFirst) {
                guard let type = try cursor.readInteger() else { throw cursor.failure("an attribute's type is missing") }
                value.insert(type)
            }
            contents.types.remember(cursor, from: start, value)
        }
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func issuers(_ name: StaticString, _ value: [IssuerCertificate]) throws(InvalidJSON) {
        guard try takes(name) else { return }
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            if contents.knownIssuers.skip(&cursor) != nil { continue }
            let start = cursor.position
            guard let token = try cursor.readText() else { throw cursor.failure("an issuer is empty") }
            guard !token.hasEscapes, let range = contents.bytes.appendBase64(cursor.bytes, in: token.range),
                let found = try? contents.issuers.insertCertificates(of: Array(contents.bytes.bytes[range.indices])),
                found == 1
            else { throw cursor.failure("an issuer is no certificate in base64") }
            contents.knownIssuers.remember(cursor, from: start, ())
        }
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func octets(_ name: StaticString, _ value: inout ByteRange?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try readBase64()
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func line(_ name: StaticString, _ value: inout [UInt8]?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = try readBase64().map { Array(contents.bytes.bytes[$0.indices]) } ?? []
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func archive(_ name: StaticString, _ value: inout ArchiveID?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        if let known = contents.archives.skip(&cursor) {
            value = known
        } else {
            let start = cursor.position
            var members = ArchiveMembers()
            try read(&members)
            value = members.id
            if let id = members.id { contents.archives.remember(cursor, from: start, id) }
        }
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func purchases(_ name: StaticString, _ value: inout Range<Int>?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        let start = contents.purchases.count
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            guard contents.purchases.count - start < AppReceipt.maximumPurchases else {
                throw cursor.failure("more than \(AppReceipt.maximumPurchases) purchases")
            }
            var purchase = InAppPurchase()
            try read(&purchase)
            contents.purchases.append(purchase)
        }
        value = start..<contents.purchases.count
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func object<Object: DecodedObject>(_ name: StaticString, _ value: inout Object?) throws(InvalidJSON) {
        guard try takes(name) else { return }
        var object = Object()
        try read(&object)
        value = object
        try advance()
    }

    @_lifetime(self: copy self)
    mutating func objects<Object: DecodedObject>(_ name: StaticString, _ value: inout [Object]) throws(InvalidJSON) {
        guard try takes(name) else { return }
        value = []
        var isFirst = true
        while try cursor.nextValue(&isFirst) {
            var object = Object()
            try read(&object, behind: value)
            value.append(object)
        }
        try advance()
    }

    // MARK: Values

    @_lifetime(self: copy self)
    private mutating func readText() throws(InvalidJSON) -> ByteRange? {
        guard let token = try cursor.readText() else { return nil }
        guard token.hasEscapes else { return contents.bytes.append(cursor.bytes, in: token.range) }
        // A lone surrogate, which decode never writes, counts as absent.
        return JSONString.unescaped(cursor.bytes, in: token.range).map { contents.bytes.append($0) }
    }

    @_lifetime(self: copy self)
    private mutating func readString() throws(InvalidJSON) -> String? {
        guard let token = try cursor.readText() else { return nil }
        if token.hasEscapes {
            return JSONString.unescaped(cursor.bytes, in: token.range).map { String(decoding: $0, as: UTF8.self) }
        }
        return cursor.bytes.extracting(token.range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Bytes in base64; nil where they are none.
    @_lifetime(self: copy self)
    private mutating func readBase64() throws(InvalidJSON) -> ByteRange? {
        guard let token = try cursor.readText() else { return nil }
        guard !token.hasEscapes, let range = contents.bytes.appendBase64(cursor.bytes, in: token.range) else {
            throw cursor.failure("octets have to be base64")
        }
        return range
    }

    @_lifetime(self: copy self)
    private mutating func readTime() throws(InvalidJSON) -> Int64? {
        guard let time = try cursor.readInteger() else { return nil }
        guard ReceiptDate.range.contains(time) else { throw cursor.failure("a time beyond the years 1 to 9999") }
        return time
    }

    @_lifetime(self: copy self)
    private mutating func readDigest() throws(InvalidJSON) -> SHA256Digest {
        guard let token = try cursor.readText(), token.range.count == 2 * SHA256Digest.count,
            let decoded = Self.decoded(hex: token.range, cursor.bytes), let digest = SHA256Digest(bytes: decoded)
        else { throw cursor.failure("expected 64 hexadecimal digits") }
        return digest
    }

    private static func decoded(hex range: Range<Int>, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard range.count.isMultiple(of: 2) else { return nil }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count / 2)
        for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            guard let high = JSONCursor.hexValue(bytes[index]), let low = JSONCursor.hexValue(bytes[index + 1]) else {
                return nil
            }
            decoded.append(UInt8(high << 4 | low))
        }
        return decoded
    }
}
