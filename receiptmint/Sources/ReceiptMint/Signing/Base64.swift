internal import Foundation

/// Writes base64 (RFC 4648).
enum Base64 {
    /// With `+` and `/`, padded.
    static func standard(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// With `-` and `_`, unpadded.
    static func url(_ bytes: [UInt8]) -> [UInt8] {
        Data(bytes).base64EncodedData().compactMap { character in
            switch character {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: character
            }
        }
    }
}
