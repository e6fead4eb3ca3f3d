/// Why bytes are not a receipt, and where.
///
/// Small enough to be thrown on the hot path: text is made only when somebody
/// asks for it.
public struct MalformedReceipt: Error, Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        /// The bytes end inside an element, or a length reaches beyond them.
        case truncated
        /// Bytes follow where a structure should have ended.
        case trailingBytes
        /// A length that no receipt can have, or more length octets than eight.
        case lengthOverflow
        /// Another tag stands where the grammar wants this one.
        case unexpectedTag(expected: UInt8, found: UInt8)
        /// A tag number above 30, which no receipt uses.
        case highTagNumber
        /// An indefinite length without its end-of-contents, or on a primitive.
        case indefiniteLength
        /// Nested deeper than the limit of its kind: ``Element/maximumDepth``,
        /// ``OctetString/maximumDepth`` or ``PropertyList/maximumDepth``.
        case tooDeep(limit: Int)
        /// A PKCS#7 content type other than signed data, or signed content other than data.
        case unsupportedContentType
        /// Signed data without content: a detached signature.
        case detachedContent
        /// Not exactly one signer.
        case signerCount(Int)
        /// More certificates than ``Container/maximumCertificates``, or than
        /// ``Container/maximumCertificateBytes``.
        case tooManyCertificates
        /// An INTEGER without octets, or wider than 64 bits.
        case invalidInteger
        /// A string that is not UTF-8, or of a type that is no string.
        case invalidText
        /// A date in none of the forms the store writes.
        case invalidDate
        /// An attribute that may stand once stands twice.
        case duplicateAttribute
        /// A purchase without transaction identifier (attribute 1703).
        case missingTransactionIdentifier
        /// More purchases than ``AppReceipt/maximumPurchases``.
        case tooManyPurchases
        /// More attributes than ``AppReceipt/maximumAttributes``.
        case tooManyAttributes
        /// An attribute's value in several chunks, which no store writes.
        case fragmentedValue
        /// A fault of the text that a transaction receipt is.
        case propertyList(PropertyListFault)
    }

    public let code: Code
    /// Offset in the buffer that was parsed.
    public private(set) var offset: Int
    /// Type of the attribute that holds the fault, where it is known.
    public var attribute: Int64?

    @inline(never)
    public init(_ code: Code, at offset: Int, attribute: Int64? = nil) {
        self.code = code
        self.offset = offset
        self.attribute = attribute
    }

    /// The same fault of bytes that stand elsewhere too.
    ///
    /// - Parameter distance: from where they were parsed to there.
    public func moved(by distance: Int) -> Self {
        var fault = self
        fault.offset += distance
        return fault
    }

    /// Whether the bytes are PKCS#7, but of a kind that is no receipt.
    public var isUnsupportedKind: Bool { code == .unsupportedContentType }

    /// What is wrong in plain words, with the place relative to `base`.
    public func description(relativeTo base: Int) -> String {
        let place = attribute.map { "attribute \($0), " } ?? ""
        return "\(reason) (\(place)byte \(offset - base))"
    }

    private var reason: String {
        switch code {
        case .truncated: "the bytes end inside an element: truncated"
        case .trailingBytes: "bytes follow the end of the structure"
        case .lengthOverflow: "a length is larger than any receipt"
        case .unexpectedTag(let expected, let found):
            "expected ASN.1 tag \(Self.hex(expected)), found \(Self.hex(found))"
        case .highTagNumber: "a multi-byte ASN.1 tag"
        case .indefiniteLength: "an indefinite length that is never closed"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .unsupportedContentType: "PKCS#7, but not signed data that holds data"
        case .detachedContent: "the signature stands without its content"
        case .signerCount(let count): "\(count) signers where a receipt has one"
        case .tooManyCertificates:
            "more than \(Container.maximumCertificates) certificates or \(Container.maximumCertificateBytes) bytes of them"
        case .invalidInteger: "an INTEGER that is empty or does not fit 64 bits"
        case .invalidText: "a string that is not UTF-8 text"
        case .invalidDate: "a date that is not of the form 2020-02-29T12:00:00Z"
        case .duplicateAttribute: "an attribute stands twice"
        case .missingTransactionIdentifier: "a purchase without transaction identifier"
        case .tooManyPurchases: "more than \(AppReceipt.maximumPurchases) purchases"
        case .tooManyAttributes: "more than \(AppReceipt.maximumAttributes) attributes"
        case .fragmentedValue: "an attribute's value in several chunks"
        case .propertyList(let fault): fault.reason
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return "0x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
}

extension MalformedReceipt: CustomStringConvertible {
    public var description: String { description(relativeTo: 0) }
}
