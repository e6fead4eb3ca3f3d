internal import MillBytes

/// Describes why a text is not base64.
enum Base64Fault {
    /// - Parameter text: a text that ``ByteBuffer/appendBase64(_:in:)`` refused.
    static func description(_ text: [UInt8]) -> String {
        var characters = 0
        var firstPadding: Int?
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): continue
            case UInt8(ascii: "="): firstPadding = firstPadding ?? index
            case _ where Base64.value(of: byte) != nil:
                if let firstPadding {
                    return "text follows the padding at character \(firstPadding + 1) of the receipt"
                }
                characters += 1
            default:
                let name = (0x21...0x7e).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
                return "\(name) at character \(index + 1) of the receipt belongs to no base64 alphabet"
            }
        }
        if firstPadding != nil, characters % 4 != 1 { return "the receipt's padding does not fit its text" }
        return "the receipt ends inside a group of four characters: cut short"
    }
}
