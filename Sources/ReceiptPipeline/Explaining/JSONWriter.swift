/// Writes JSON (RFC 8259) into bytes: keys in the order given, integers exact.
///
/// Bytes, not a String, because one answer is written for each line of an
/// archive at the mill's speed.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// Each member on a line of its own, indented.
    private let isPretty: Bool
    private var depth = 0
    /// A value stands before the next one on this level.
    private var needsComma = false
    private var followsKey = false

    /// - Parameter buffer: memory to write into, whose content is dropped.
    init(isPretty: Bool = false, reusing buffer: consuming [UInt8] = []) {
        self.isPretty = isPretty
        bytes = buffer
        bytes.removeAll(keepingCapacity: true)
    }

    // MARK: Structure

    mutating func open() { begin("{") }
    mutating func close() { end("}") }
    mutating func openArray() { begin("[") }
    mutating func closeArray() { end("]") }

    mutating func open(_ name: StaticString) {
        key(name)
        open()
    }

    mutating func openArray(_ name: StaticString) {
        key(name)
        openArray()
    }

    mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    /// A key that comes from a receipt.
    mutating func key(of name: String) {
        value(name)
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    /// Ends a document with a newline.
    mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Values

    mutating func null() { literal("null") }
    mutating func value(_ flag: Bool) { literal(flag ? "true" : "false") }

    mutating func value(_ number: Int64) {
        separate()
        appendDigits(number)
        needsComma = true
    }

    mutating func value(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in string { $0.appendEscaped(utf8) } }
    }

    /// A string whose content `body` appends with ``appendPlain(_:)`` and its like.
    mutating func string(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        body(&self)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// A value that was written before, as JSON without indents.
    mutating func written(_ value: [UInt8]) {
        separate()
        bytes.append(contentsOf: value)
        needsComma = true
    }

    // MARK: Members

    mutating func member(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// A key that comes from a receipt, and its text.
    mutating func member(of name: String, _ text: String) {
        key(of: name)
        value(text)
    }

    mutating func member(_ name: StaticString, _ number: Int64?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    mutating func member(_ name: StaticString, _ number: Int) {
        member(name, Int64(number))
    }

    mutating func member(_ name: StaticString, _ flag: Bool?) {
        key(name)
        if let flag { value(flag) } else { null() }
    }

    // MARK: Inside a string

    /// Appends text that needs no escape.
    mutating func appendPlain(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func appendDigits(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(number.magnitude, places: 1)
    }

    /// Appends a number in decimal, with zeros before it up to `places` digits.
    mutating func appendDigits(_ number: UInt64, places: Int) {
        var rest = number
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0 || bytes.count - start < places
        bytes[start...].reverse()
    }

    mutating func appendHex(_ octets: some Collection<UInt8>) {
        bytes.append(addingCapacity: 2 * octets.count) { output in
            for octet in octets {
                output.append(Self.digit(octet >> 4))
                output.append(Self.digit(octet & 15))
            }
        }
    }

    /// Appends base64 (RFC 4648, 4), padded.
    mutating func appendBase64(_ octets: UnsafeBufferPointer<UInt8>) {
        bytes.append(addingCapacity: (octets.count + 2) / 3 * 4) { output in
            for start in stride(from: 0, to: octets.count, by: 3) {
                let count = min(3, octets.count - start)
                var group = UInt32(octets[start]) << 16
                if count > 1 { group |= UInt32(octets[start + 1]) << 8 }
                if count > 2 { group |= UInt32(octets[start + 2]) }
                output.append(Self.base64Character(group >> 18))
                output.append(Self.base64Character(group >> 12 & 63))
                output.append(count > 1 ? Self.base64Character(group >> 6 & 63) : UInt8(ascii: "="))
                output.append(count > 2 ? Self.base64Character(group & 63) : UInt8(ascii: "="))
            }
        }
    }

    private static func base64Character(_ value: UInt32) -> UInt8 {
        switch UInt8(truncatingIfNeeded: value) {
        case let letter where letter < 26: UInt8(ascii: "A") + letter
        case let letter where letter < 52: UInt8(ascii: "a") + letter - 26
        case let digit where digit < 62: UInt8(ascii: "0") + digit - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    /// Appends UTF-8, escaping what has to be; bytes that are no UTF-8 become
    /// U+FFFD.
    mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        // Nearly every text is plain, and then one copy. No early exit: the
        // compiler makes vector instructions of the loop.
        var isPlain = true
        var isASCII = true
        for byte in utf8 {
            isPlain = isPlain && byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            isASCII = isASCII && byte < 0x80
        }
        if isPlain {
            bytes.append(contentsOf: utf8)
        } else if isASCII {
            for byte in utf8 { appendEscaped(byte) }
        } else {
            var repaired = String(decoding: utf8, as: UTF8.self)
            repaired.withUTF8 { for byte in $0 { appendEscaped(byte) } }
        }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): appendPlain("\\\"")
        case UInt8(ascii: "\\"): appendPlain("\\\\")
        case 0x0a: appendPlain("\\n")
        case 0x0d: appendPlain("\\r")
        case 0x09: appendPlain("\\t")
        case 0..<0x20, 0x7f:
            appendPlain("\\u00")
            appendHex(CollectionOfOne(byte))
        default: bytes.append(byte)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    // MARK: Between values

    private mutating func literal(_ text: StaticString) {
        separate()
        appendPlain(text)
        needsComma = true
    }

    private mutating func begin(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
        depth += 1
    }

    private mutating func end(_ bracket: Unicode.Scalar) {
        depth -= 1
        if needsComma { breakLine() }
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    private mutating func separate() {
        if followsKey {
            followsKey = false
            return
        }
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
        needsComma = false
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
}
