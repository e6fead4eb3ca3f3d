internal import MillBytes
internal import MillJSON
internal import ReceiptFormat
internal import SignedDataFormat

/// The form of a text, recognised by its beginning.
///
/// Only the beginning decides, so that a document that is cut short, or altered after its beginning, is rejected
/// instead of ignored.
enum TextForm {
    /// A signed string whose header has the member `x5c`, base64 of a PKCS#7 container of signed data, or base64 of a
    /// property list.
    case document
    /// A signed string without certificates, such as a session token.
    case otherSignedString
    case json
    /// Base64 of a text.
    case base64
    /// Base64 of gzip data.
    case packed
    case other

    /// The number of characters that are examined first; they show nearly every form.
    private static let shortHead = 64
    /// The maximum number of characters that are examined. Apple's headers begin with `alg` and `x5c`; the first key of
    /// a property list may follow a comment.
    private static let longHead = 1_024
    private static let certificates = KeyTable(["x5c"])

    /// - Parameters:
    ///   - text: a range without white space at its beginning.
    ///   - isMeant: whether the text is under a key of documents; then every signed string counts as a document.
    init(_ bytes: Span<UInt8>, _ text: Range<Int>, isMeant: Bool) {
        if let first = text.first, Self.beginsJSON(bytes[first]) {
            self = .json
            return
        }
        let head = Self.decoded(bytes, text.prefix(Self.shortHead))
        if ByteReader(head.span).beginsWithContainer {
            self = .document
            return
        }
        switch head.first(where: { !WhiteSpace.contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "/"):
            let isSigned = SignedString.isSignedString(bytes, in: text)
            if isMeant && isSigned || Self.isDocument(head)
                || Self.isDocument(Self.decoded(bytes, text.prefix(Self.longHead)))
            {
                self = .document
            } else {
                let isToken =
                    isSigned
                    && text.allSatisfy {
                        Base64.value(of: bytes[$0]) != nil || bytes[$0] == UInt8(ascii: ".")
                    }
                self = isToken ? .otherSignedString : .base64
            }
        case 0x1f where head.starts(with: [0x1f, 0x8b, 8]): self = .packed
        case .some where head.count >= Self.shortHead / 2 && head.allSatisfy(Self.isText):
            self = .base64
        default: self = .other
        }
    }

    /// The kind of a document that is cut short; nil for any other text.
    static func cutDocument(_ bytes: Span<UInt8>, _ text: Range<Int>) -> String? {
        guard TextForm(bytes, text, isMeant: false) == .document else { return nil }
        if isHeader(decoded(bytes, text.prefix(longHead))) {
            return text.count { bytes[$0] == UInt8(ascii: ".") } < 2 ? "a signed string" : nil
        }
        // Base64 of whole bytes never has one character more than a multiple of four.
        let digits = text.count { Base64.value(of: bytes[$0]) != nil }
        return digits % 4 == 1 ? "a receipt" : nil
    }

    /// Whether a character begins an object, a list or a string in JSON.
    static func beginsJSON(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"")
    }

    /// Whether a character of free text can't be part of a document, a form or an address.
    static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: false
        }
    }

    private static func isText(_ byte: UInt8) -> Bool { (0x20..<0x7f).contains(byte) || WhiteSpace.contains(byte) }

    /// Whether bytes begin as a property list or as the header of a signed string.
    private static func isDocument(_ head: [UInt8]) -> Bool {
        ByteReader(head.span).beginsWithPropertyList || isHeader(head)
    }

    /// Whether a text begins as a JSON object with the member `x5c`, in which a JWS contains its certificates (RFC
    /// 7515, 4.1.6). Session tokens have none.
    private static func isHeader(_ head: [UInt8]) -> Bool {
        var cursor = JSONCursor(head.span, in: head.indices, mayHoldControls: true)
        cursor.skipWhitespace()
        var isFirst = true
        do throws(InvalidJSON) {
            while let key = try cursor.nextKey(&isFirst) {
                if key.number(in: certificates, head.span) != nil { return true }
                _ = try cursor.readValue(depth: 1)
            }
        } catch {
            // Any other text is not a header.
        }
        return false
    }

    /// The decoded bytes of base64 in either alphabet, up to the first other character.
    private static func decoded(_ bytes: Span<UInt8>, _ text: Range<Int>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count * 3 / 4)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for index in text {
            let character = bytes[index]
            if WhiteSpace.contains(character) { continue }
            guard let value = Base64.value(of: character) else { break }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            guard count >= 8 else { continue }
            count -= 8
            decoded.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return decoded
    }
}
