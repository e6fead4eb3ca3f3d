/// An attribute's value as ASN.1, where it is exactly one element.
///
/// The form is taken from the bytes, not from the attribute's type, except for
/// ``AppAttribute/rawTypes``, whose bytes can look like ASN.1 by chance.
public struct AttributeValue: Sendable, Hashable {
    /// The form of a value. The raw values are ASN.1's names of types.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        /// The value has no bytes.
        case empty
        /// The value is no ASN.1, or more than one element.
        case raw
        /// The value is an INTEGER.
        case integer = "INTEGER"
        /// The value is a UTF8String.
        case utf8String = "UTF8String"
        /// The value is an IA5String.
        case ia5String = "IA5String"
        /// The value is a PrintableString.
        case printableString = "PrintableString"
        /// The value is a primitive OCTET STRING.
        case octetString = "OCTET STRING"
        /// The value is a NULL.
        case null = "NULL"
        /// The value is an OBJECT IDENTIFIER.
        case objectIdentifier = "OBJECT IDENTIFIER"
        /// The value is a SEQUENCE.
        case sequence = "SEQUENCE"
        /// The value is a SET.
        case set = "SET"
    }

    /// The form of the value.
    public let form: Form
    /// The value of an INTEGER; nil for other forms, and where it doesn't fit 64 bits.
    public let integer: Int64?
    /// The content of the element, or the whole value where it is raw.
    public let content: ByteRange

    /// Reads the value of an attribute.
    ///
    /// - Parameters:
    ///   - attribute: an attribute read from the bytes of `reader`.
    ///   - isRaw: whether its type is one of ``AppAttribute/rawTypes``.
    public init(of attribute: Attribute, in reader: borrowing ByteReader, isRaw: Bool) {
        var value = reader.reader(in: attribute.value)
        guard !isRaw, let element = try? value.readElement(), value.isAtEnd, let form = Self.form(of: element.tag)
        else {
            form = attribute.value.isEmpty ? .empty : .raw
            integer = nil
            content = attribute.value
            return
        }
        self.form = form
        content = element.content
        integer = form == .integer ? try? value.integer(in: element.content) : nil
    }

    /// Whether the form is one of ASN.1's strings of characters.
    public var isText: Bool { form == .utf8String || form == .ia5String || form == .printableString }

    private static func form(of tag: UInt8) -> Form? {
        switch tag {
        case Tag.integer: .integer
        case Tag.utf8String: .utf8String
        case Tag.ia5String: .ia5String
        case Tag.printableString: .printableString
        case Tag.octetString: .octetString
        case Tag.null: .null
        case Tag.objectIdentifier: .objectIdentifier
        case Tag.sequence: .sequence
        case Tag.set: .set
        default: nil
        }
    }
}
