/// Writes base64 (RFC 4648): the alphabet of section 4 with padding for
/// certificates in headers, that of section 5 without it for all else.
enum Base64 {
    /// With `+` and `/`, padded.
    static func standard(_ bytes: [UInt8]) -> String {
        let text = encode(bytes, Array("+/".utf8))
        return String(decoding: text, as: UTF8.self) + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
    }

    /// With `-` and `_`, unpadded.
    static func url(_ bytes: [UInt8]) -> [UInt8] { encode(bytes, Array("-_".utf8)) }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// - Parameter last: the characters for 62 and 63.
    private static func encode(_ bytes: [UInt8], _ last: [UInt8]) -> [UInt8] {
        // Writing nothing would write the length of the empty array, which all threads share.
        guard !bytes.isEmpty else { return [] }
        let alphabet = letters + last
        let count = (bytes.count * 8 + 5) / 6
        return [UInt8](unsafeUninitializedCapacity: count) { text, written in
            var (bits, held) = (UInt32(0), 0)
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                held += 8
                while held >= 6 {
                    held -= 6
                    text[written] = alphabet[Int(bits >> UInt32(held) & 63)]
                    written += 1
                }
            }
            if held > 0 {
                text[written] = alphabet[Int(bits << UInt32(6 - held) & 63)]
                written += 1
            }
        }
    }
}
