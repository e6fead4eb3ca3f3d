/// Writes JSON (RFC 8259) into bytes: keys in the order given, integers exact.
///
/// Bytes, not a String, because one answer is written for each line of an
/// archive at the mill's speed.
@usableFromInline package struct JSONWriter: ~Copyable {
    @usableFromInline var text = ByteWriter()
    /// Each member on a line of its own, indented.
    @usableFromInline let isPretty: Bool
    @usableFromInline var depth = 0
    /// A value stands before the next one on this level.
    @usableFromInline var needsComma = false
    @usableFromInline var followsKey = false

    package init(isPretty: Bool = false) {
        self.isPretty = isPretty
    }

    /// What is written so far.
    package var bytes: [UInt8] { withBytes { Array($0) } }
    package var count: Int { text.count }
    /// Bytes that fit into the memory held.
    package var capacity: Int { text.capacity }

    /// Lends what is written so far.
    @inlinable package func withBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try text.withBytes(body)
    }

    /// Begins anew in the same memory; what was written is whole documents.
    package mutating func removeAll() { text.removeAll() }

    // MARK: Structure

    @inlinable package mutating func open() { begin("{") }
    @inlinable package mutating func close() { end("}") }
    @inlinable package mutating func openArray() { begin("[") }
    @inlinable package mutating func closeArray() { end("]") }

    @inlinable package mutating func open(_ name: StaticString) {
        key(name)
        open()
    }

    @inlinable package mutating func openArray(_ name: StaticString) {
        key(name)
        openArray()
    }

    @inlinable @inline(__always)
    package mutating func key(_ name: StaticString) {
        separate()
        text.append(UInt8(ascii: "\""))
        text.append(name)
        text.append("\":")
        if isPretty { text.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    /// A key that comes from a receipt.
    package mutating func key(of name: String) {
        value(name)
        text.append(UInt8(ascii: ":"))
        if isPretty { text.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    /// Ends a document with a newline.
    package mutating func endLine() {
        text.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Values

    package mutating func null() { literal("null") }
    package mutating func value(_ flag: Bool) { literal(flag ? "true" : "false") }

    package mutating func value(_ number: Int64) {
        separate()
        appendDigits(number)
        needsComma = true
    }

    package mutating func value(_ string: String) {
        var string = string
        string.withUTF8 { utf8 in self.string { $0.appendEscaped(utf8) } }
    }

    /// A string whose content `body` appends with ``appendPlain(_:)`` and its like.
    @inlinable @inline(__always)
    package mutating func string(_ body: (inout JSONWriter) -> Void) {
        separate()
        text.append(UInt8(ascii: "\""))
        body(&self)
        text.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// A value that was written before, as JSON without indents.
    package mutating func written(_ value: [UInt8]) {
        separate()
        value.withUnsafeBufferPointer { text.append($0) }
        needsComma = true
    }

    // MARK: Members

    package mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// A key that comes from a receipt, and its text.
    package mutating func member(of name: String, _ text: String) {
        key(of: name)
        value(text)
    }

    package mutating func member(_ name: StaticString, _ number: Int64?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    package mutating func member(_ name: StaticString, _ number: Int) {
        member(name, Int64(number))
    }

    package mutating func member(_ name: StaticString, _ flag: Bool?) {
        key(name)
        if let flag { value(flag) } else { null() }
    }

    // MARK: Inside a string

    /// Appends text that needs no escape.
    @inlinable package mutating func appendPlain(_ plain: StaticString) { text.append(plain) }

    package mutating func appendDigits(_ number: Int64) {
        if number < 0 { text.append(UInt8(ascii: "-")) }
        text.appendDigits(number.magnitude)
    }

    /// Appends a number in decimal, with zeros before it up to `places` digits.
    package mutating func appendDigits(_ number: UInt64, places: Int) { text.appendDigits(number, places: places) }

    @inlinable package mutating func appendHex(_ octets: some Collection<UInt8>) { text.appendHex(octets) }

    /// Appends base64 (RFC 4648, 4), padded.
    package mutating func appendBase64(_ octets: UnsafeBufferPointer<UInt8>) { text.appendBase64(octets) }

    /// Appends UTF-8, escaping what has to be; bytes that are no UTF-8 become
    /// U+FFFD.
    package mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) { text.appendEscaped(utf8) }

    // MARK: Between values

    private mutating func literal(_ name: StaticString) {
        separate()
        text.append(name)
        needsComma = true
    }

    @usableFromInline mutating func begin(_ bracket: Unicode.Scalar) {
        separate()
        text.append(UInt8(ascii: bracket))
        needsComma = false
        depth += 1
    }

    @usableFromInline mutating func end(_ bracket: Unicode.Scalar) {
        depth -= 1
        if needsComma { breakLine() }
        text.append(UInt8(ascii: bracket))
        needsComma = true
    }

    @inlinable @inline(__always)
    mutating func separate() {
        if followsKey {
            followsKey = false
            return
        }
        if needsComma { text.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
        needsComma = false
    }

    @usableFromInline mutating func breakLine() {
        guard isPretty else { return }
        text.append(UInt8(ascii: "\n"))
        text.append(repeating: UInt8(ascii: " "), count: 2 * depth)
    }
}
