/// Writes JSON (RFC 8259) into bytes, with keys in the given order and exact integers.
///
/// The writer fills bytes instead of a String, because one answer is written for each line of an archive, at the speed
/// of loading.
@usableFromInline package struct JSONWriter: ~Copyable {
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    /// The number of bytes written so far.
    @usableFromInline package internal(set) var count = 0
    /// The number of bytes that fit into the allocated memory.
    @usableFromInline package internal(set) var capacity = 1024
    /// Whether each member is on a separate, indented line.
    @usableFromInline let isPretty: Bool
    @usableFromInline var depth = 0
    /// Whether the next value on this level follows another one.
    @usableFromInline var needsComma = false
    @usableFromInline var followsKey = false

    package init(isPretty: Bool = false) {
        self.isPretty = isPretty
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    package var bytes: [UInt8] { withBytes { Array($0) } }
    package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// Passes the bytes written so far to `body`.
    @inlinable package func withBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Starts again in the same memory. What was written must be complete values.
    package mutating func removeAll() { count = 0 }

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
        append(UInt8(ascii: "\""))
        append(name)
        append("\":")
        if isPretty { append(UInt8(ascii: " ")) }
        followsKey = true
    }

    /// Writes a key that needs no escapes.
    package mutating func key(_ name: [UInt8]) {
        separate()
        append(UInt8(ascii: "\""))
        name.withUnsafeBufferPointer { append($0) }
        append("\":")
        if isPretty { append(UInt8(ascii: " ")) }
        followsKey = true
    }

    /// Writes a key; `body` appends its content.
    package mutating func key(_ body: (inout JSONWriter) -> Void) {
        string(body)
        append(isPretty ? ": " : ":")
        followsKey = true
    }

    /// Ends a complete value with a line feed.
    package mutating func endLine() {
        append(UInt8(ascii: "\n"))
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

    package mutating func value(_ text: String) {
        string { $0.appendEscaped(text) }
    }

    /// Writes a string; `body` appends its content.
    @inlinable @inline(__always)
    package mutating func string(_ body: (inout JSONWriter) -> Void) {
        separate()
        append(UInt8(ascii: "\""))
        body(&self)
        append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a value that is already JSON, without indentation.
    package mutating func written(_ value: [UInt8]) {
        separate()
        value.withUnsafeBufferPointer { append($0) }
        needsComma = true
    }

    // MARK: Members

    package mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
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

    // MARK: Between values

    private mutating func literal(_ name: StaticString) {
        separate()
        append(name)
        needsComma = true
    }

    @usableFromInline mutating func begin(_ bracket: Unicode.Scalar) {
        separate()
        append(UInt8(ascii: bracket))
        needsComma = false
        depth += 1
    }

    @usableFromInline mutating func end(_ bracket: Unicode.Scalar) {
        depth -= 1
        if needsComma { breakLine() }
        append(UInt8(ascii: bracket))
        needsComma = true
    }

    @inlinable @inline(__always)
    mutating func separate() {
        if followsKey {
            followsKey = false
            return
        }
        if needsComma { append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
        needsComma = false
    }

    @usableFromInline mutating func breakLine() {
        guard isPretty else { return }
        append(UInt8(ascii: "\n"))
        append(repeating: UInt8(ascii: " "), count: 2 * depth)
    }
}
