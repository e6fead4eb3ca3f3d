/// The error that bytes are not a valid receipt, with the kind of the fault and its offset.
///
/// The error is small enough to be thrown on the hot path; its text is created on demand.
public struct MalformedReceipt: Error, Sendable, Hashable {
    /// The kinds of faults, each with the values that its message states.
    public enum Code: Sendable, Hashable {
        /// The bytes end inside an element, or a length exceeds them.
        case truncated
        /// Further bytes follow where a structure should have ended.
        case trailingBytes
        /// A length is larger than any receipt, or is written in more than eight bytes.
        case lengthOverflow
        /// The grammar requires one tag, and another was found.
        case unexpectedTag(expected: UInt8, found: UInt8)
        /// A tag number is above 30, which no receipt uses.
        case highTagNumber
        /// An indefinite length lacks its end-of-contents, or belongs to a
        /// primitive element.
        case indefiniteLength
        /// The nesting exceeds the limit of its kind: ``Element/maximumDepth``,
        /// ``OctetString/maximumDepth`` or ``PropertyList/maximumDepth``.
        case tooDeep(limit: Int)
        /// The PKCS#7 content type is not signed data, or the signed content is not data.
        case unsupportedContentType
        /// The signed data has no content: the signature is detached.
        case detachedContent
        /// The container has this number of signers instead of one.
        case signerCount(Int)
        /// The certificates exceed ``Container/maximumCertificates`` or
        /// ``Container/maximumCertificateBytes``.
        case tooManyCertificates
        /// An INTEGER is empty, or its value doesn't fit into 64 bits.
        case invalidInteger
        /// A string is not UTF-8, contains NUL, or has a type that is not a string type.
        case invalidText
        /// An environment, bundle identifier or version exceeds ``AppReceipt/maximumNameBytes``.
        case overlongName(Int)
        /// A date is in none of the forms of ``ReceiptDate``.
        case invalidDate
        /// An attribute that may occur only once is repeated.
        case duplicateAttribute
        /// A purchase has no transaction identifier (attribute 1703).
        case missingTransactionIdentifier
        /// The purchases exceed ``AppReceipt/maximumPurchases``.
        case tooManyPurchases
        /// The attributes exceed ``AppReceipt/maximumAttributes``.
        case tooManyAttributes
        /// An attribute's value or a signature is in several chunks, which Apple never writes.
        case fragmentedValue
        /// The text of a transaction receipt has this fault.
        case propertyList(PropertyListFault)
    }

    /// The kind of the fault.
    public let code: Code
    /// The fault's offset in the buffer that was parsed, in bytes.
    public private(set) var offset: Int
    /// The type of the attribute with the fault; nil if unknown.
    public var attribute: Int64?

    /// An error at an offset of the buffer that is parsed.
    @inline(never)
    public init(_ code: Code, at offset: Int, attribute: Int64? = nil) {
        self.code = code
        self.offset = offset
        self.attribute = attribute
    }

    /// The error with its offset shifted, for bytes that were parsed in a copy.
    ///
    /// - Parameter distance: the number of bytes by which the copy's offsets are too low.
    public func moved(by distance: Int) -> Self {
        var fault = self
        fault.offset += distance
        return fault
    }

    /// Whether the bytes are PKCS#7 of a kind that is not a receipt.
    public var isUnsupportedKind: Bool { code == .unsupportedContentType }

    /// The error in words, with its offset counted from `base`.
    public func description(relativeTo base: Int) -> String {
        let attribute = attribute.map { "attribute \($0), " } ?? ""
        return "\(reason) (\(attribute)byte \(offset - base))"
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
        case .overlongName(let count):
            "an environment, bundle identifier or version of \(count) bytes, where \(AppReceipt.maximumNameBytes) are allowed"
        case .invalidDate: "a date that is not of the form 2020-02-29T12:00:00Z"
        case .duplicateAttribute: "an attribute stands twice"
        case .missingTransactionIdentifier: "a purchase without transaction identifier"
        case .tooManyPurchases: "more than \(AppReceipt.maximumPurchases) purchases"
        case .tooManyAttributes: "more than \(AppReceipt.maximumAttributes) attributes"
        case .fragmentedValue: "an attribute's value in several chunks"
        case .propertyList(let fault): fault.reason
        }
    }

    private static func hex(_ byte: UInt8) -> String { "0x" + Hex.text([byte]) }
}

extension MalformedReceipt: CustomStringConvertible {
    /// The error in words, with its offset in the buffer.
    public var description: String { description(relativeTo: 0) }
}
