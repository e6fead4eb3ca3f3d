internal import MillJSON
internal import ReceiptFormat
internal import SignedDataFormat

/// Reads members from JSON, in any order.
///
/// One visit of an object reads its members as long as they are in the order in which they are written, which is nearly
/// always all of them. While keys are left, the object is visited again; an unknown key is skipped.
struct MemberReader: MemberVisitor, ~Copyable, ~Escapable {
    var cursor: JSONCursor
    var contents: BatchContents
    private var object = OpenObject()

    /// The state of reading an object.
    private struct OpenObject {
        /// The key of the next value; nil after the last member.
        var key: JSONToken?
        var isAtStart = true
        /// Whether the current visit has read a member.
        var hasTaken = false
        /// The current member's position among the object's members, from 1.
        var member: UInt64 = 0
        /// A bit for each member that was read; nil if members may be repeated.
        var seen: UInt64?
    }

    @_lifetime(copy cursor)
    init(_ cursor: JSONCursor, into contents: consuming BatchContents) {
        self.cursor = cursor
        self.contents = contents
    }

    /// Begins another line.
    @_lifetime(self: copy cursor)
    mutating func begin(_ cursor: JSONCursor) {
        self.cursor = cursor
        self.cursor.skipWhitespace()
    }

    /// Throws if text follows the line's object.
    mutating func endLine() throws(InvalidJSON) {
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
    }

    /// Reads an object, up to its closing brace.
    mutating func read<Object: DecodedObject>(
        _ value: inout Object, behind others: [Object] = []
    ) throws(InvalidJSON) {
        let outer = object
        object = OpenObject()
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
                let names = SignedForm.all.map(\.name.description).joined(separator: ", ")
                throw cursor.failure("a document has no more than one of these members: \(names)")
            }
            index = contents.signedPayloads.count
            contents.signedPayloads.append(members.payload)
            try advance()
        }
    }

    /// Whether the next value's key equals a name.
    private func isKey(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let key = object.key, key.range.count == name.count else { return false }
        return cursor.bytes.extracting(key.range).withUnsafeBufferPointer { $0.elementsEqual(name) }
    }

    /// Moves on to the object's next member.
    ///
    /// - Returns: whether the member's value comes next.
    private mutating func takes(_ isItsKey: Bool) throws(InvalidJSON) -> Bool {
        object.member += 1
        guard isItsKey, let seen = object.seen else { return isItsKey }
        guard seen >> object.member & 1 == 0 else { throw cursor.failure("a key stands twice") }
        object.seen = seen | 1 << object.member
        return true
    }

    /// Moves on to the key after the member that was read.
    private mutating func advance() throws(InvalidJSON) {
        object.key = try cursor.nextKey(&object.isAtStart)
        object.hasTaken = true
    }
}
