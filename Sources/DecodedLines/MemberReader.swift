internal import MillJSON
internal import ReceiptFormat
internal import SignedDataFormat

/// Reads members from JSON, in any order.
///
/// A visit of an object reads the members that follow one another in the order in which they are written, which
/// nearly always is all of them. While keys are left the object is visited again; a key that no member has is
/// skipped.
struct MemberReader: MemberVisitor, ~Copyable, ~Escapable {
    var cursor: JSONCursor
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

    /// Begins with another line.
    @_lifetime(self: copy cursor)
    mutating func begin(_ cursor: JSONCursor) {
        self.cursor = cursor
        self.cursor.skipWhitespace()
    }

    /// Refuses what follows a line's object.
    mutating func endLine() throws(InvalidJSON) {
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
    }

    /// Reads an object, up to its closing brace.
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

    mutating func member<Format: MemberFormat>(
        _ name: StaticString, _ value: inout Format.Value?, as format: Format.Type
    ) throws(InvalidJSON) {
        guard try takes(name.withUTF8Buffer { isKey($0) }) else { return }
        value = try Format.read(from: &self)
        try advance()
    }

    mutating func member<Format: MemberFormat>(
        _ name: [UInt8], _ value: inout Format.Value?, as format: Format.Type
    ) throws(InvalidJSON) {
        guard try takes(name.withUnsafeBufferPointer { isKey($0) }) else { return }
        value = try Format.read(from: &self)
        try advance()
    }

    mutating func payload(_ index: inout Int?) throws(InvalidJSON) {
        for form in SignedForm.all where try takes(form.name.withUTF8Buffer { isKey($0) }) {
            var members = SignedMembers(of: form.kind)
            try read(&members)
            guard index == nil else {
                throw cursor.failure("a document states one of terms, renewal, app_transaction and notification")
            }
            index = contents.signedPayloads.count
            contents.signedPayloads.append(members.payload)
            try advance()
        }
    }

    /// Whether the key whose value comes next is a name.
    private func isKey(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let key = object.key, key.range.count == name.count else { return false }
        return cursor.bytes.extracting(key.range).withUnsafeBufferPointer { $0.elementsEqual(name) }
    }

    /// Goes on to the object's next member.
    ///
    /// - Returns: whether its value is to be read.
    private mutating func takes(_ isItsKey: Bool) throws(InvalidJSON) -> Bool {
        object.member += 1
        guard isItsKey, let seen = object.seen else { return isItsKey }
        guard seen >> object.member & 1 == 0 else { throw cursor.failure("a key stands twice") }
        object.seen = seen | 1 << object.member
        return true
    }

    /// Moves behind a member that was read.
    private mutating func advance() throws(InvalidJSON) {
        object.key = try cursor.nextKey(&object.isAtStart)
        object.hasTaken = true
    }
}
