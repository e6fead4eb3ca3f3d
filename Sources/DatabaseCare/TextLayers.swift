internal import MillBytes
internal import ReceiptVerification

/// Decodes texts within texts, whether or not they are well-formed.
enum TextLayers {
    /// Whether bytes may be a text with escapes. About one in eight random bytes is a control character, as in base64
    /// that is decoded from the wrong digit; a text contains none.
    static func mayBeText(_ bytes: [UInt8]) -> Bool {
        bytes.count(where: { $0 < 0x20 && !WhiteSpace.contains($0) || $0 == 0x7f }) <= bytes.count / 32
    }

    /// Other decodings of a text: without JSON's escapes, without percent-encoding, and with spaces instead of plus
    /// signs, as in forms.
    static func readings(of text: [UInt8]) -> [[UInt8]] {
        var readings: [[UInt8]] = []
        if text.contains(UInt8(ascii: "\\")) { readings.append(unescaped(text)) }
        if text.contains(UInt8(ascii: "%")) { readings.append(percentDecoded(text)) }
        if text.contains(UInt8(ascii: "+")) { readings.append(text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }) }
        return readings
    }

    /// Calls `body` with the name and the value of each field of a form.
    static func forEachMember(of text: [UInt8], _ body: (_ name: [UInt8], _ value: [UInt8]) -> Void) {
        guard text.contains(UInt8(ascii: "=")) else { return }
        for member in text.split(separator: UInt8(ascii: "&")) {
            guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { continue }
            body(Array(member[..<equals]), Array(member[(equals + 1)...]))
        }
    }

    // MARK: Escapes

    /// A text with JSON's escapes decoded; malformed ones stay unchanged.
    static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                output.append(bytes[index])
                index += 1
                continue
            }
            if let byte = hexadecimal(bytes, at: index) {
                output.append(byte)
                index += 4
                continue
            }
            if let (scalar, length) = scalar(bytes, at: index) {
                output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                index += length
                continue
            }
            output.append(contentsOf: named[bytes[index + 1]].map { [$0] } ?? [bytes[index], bytes[index + 1]])
            index += 2
        }
        return output
    }

    private static let named: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c,
        UInt8(ascii: "n"): 0x0a, UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09,
    ]

    /// The byte of an escape as in nginx's logs (`\x22`).
    private static func hexadecimal(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard index + 4 <= bytes.count, bytes[index + 1] == UInt8(ascii: "x"),
            let high = Hex.value(of: bytes[index + 2]),
            let low = Hex.value(of: bytes[index + 3])
        else { return nil }
        return high << 4 | low
    }

    /// The scalar of one `\u` escape, or of two that form a surrogate pair, and the length of the escapes in bytes.
    private static func scalar(_ bytes: [UInt8], at index: Int) -> (Unicode.Scalar, Int)? {
        guard let first = codeUnit(bytes, at: index) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard first < 0xdc00, let second = codeUnit(bytes, at: index + 6), (0xdc00...0xdfff).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { return nil }
        return (scalar, 12)
    }

    private static func codeUnit(_ bytes: [UInt8], at index: Int) -> UInt32? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return Hex.codeUnit(bytes.span, at: index + 2)
    }

    /// A text with percent-encoding decoded (RFC 3986, 2.1).
    static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Hex.value(of: bytes[index + 1]),
                let low = Hex.value(of: bytes[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output
    }

    // MARK: Bytes as text

    /// The decoded bytes of every run of base64 and of hexadecimal digits in a text, from each digit that may begin a
    /// group.
    ///
    /// - Parameter count: the minimum number of bytes in a run.
    static func decodings(of text: [UInt8], atLeast count: Int) -> [[UInt8]] {
        // Base64 groups four characters, so a run may begin at any of the first four.
        runs(of: text, atLeast: (count * 4 + 2) / 3) { Base64.value(of: $0) }
            .flatMap { digits in (0..<4).map { packed(digits.dropFirst($0), bits: 6) } }
            + runs(of: text, atLeast: count * 2) { Hex.value(of: $0) }
            .flatMap { digits in (0..<2).map { packed(digits.dropFirst($0), bits: 4) } }
    }

    /// The runs of digits in a text. White space within a run is ignored.
    private static func runs(of text: [UInt8], atLeast count: Int, _ value: (UInt8) -> UInt8?) -> [[UInt8]] {
        var runs: [[UInt8]] = []
        var digits: [UInt8] = []
        func end() {
            if digits.count >= count { runs.append(digits) }
            digits.removeAll()
        }
        for byte in text {
            if let digit = value(byte) {
                digits.append(digit)
            } else if !WhiteSpace.contains(byte) {
                end()
            }
        }
        end()
        return runs
    }

    private static func packed(_ digits: ArraySlice<UInt8>, bits: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * Int(bits) / 8)
        var (word, count): (UInt32, UInt32) = (0, 0)
        for digit in digits {
            word = word << bits | UInt32(digit)
            count += bits
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> count))
        }
        return bytes
    }
}
