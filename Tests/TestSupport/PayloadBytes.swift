public import Foundation

/// Payloads of app receipts, written by hand in DER (X.690), well-formed or not.
public enum PayloadBytes {
    public static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<0x80: [tag, UInt8(content.count)] + content
        case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
        case ..<0x10000: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
        default:
            [tag, 0x83, UInt8(content.count >> 16), UInt8(content.count >> 8 & 0xff), UInt8(content.count & 0xff)]
                + content
        }
    }

    public static func integer(_ value: Int) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        while bytes.count > 1, bytes[0] == 0, bytes[1] < 0x80 { bytes.removeFirst() }
        return element(0x02, bytes)
    }

    public static func text(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }
    public static func date(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }
    public static func date(_ date: Date) -> [UInt8] { Self.date(date.ISO8601Format()) }

    /// One attribute; its value is encoded already.
    public static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        element(0x30, integer(type) + integer(1) + element(0x04, value))
    }

    public static func payload(_ attributes: [[UInt8]]) -> [UInt8] { element(0x31, attributes.flatMap { $0 }) }

    /// The attribute of one purchase.
    public static func purchase(_ transaction: String, product: String, quantity: Int = 1) -> [UInt8] {
        attribute(
            17,
            payload([
                attribute(1701, integer(quantity)), attribute(1702, text(product)), attribute(1703, text(transaction)),
            ]))
    }
}
