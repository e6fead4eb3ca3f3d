/// An attribute's value as ASN.1, where it is one element and no more.
///
/// Nothing is looked up by the attribute's number, but for the four whose octets
/// are raw: they can look like ASN.1 by chance.
public struct AttributeValue: Sendable, Hashable {
    public enum Form: String, Sendable, Hashable, CaseIterable {
        case empty
        /// No ASN.1, or more than one element.
        case raw
        case integer = "INTEGER"
        case utf8String = "UTF8String"
        case ia5String = "IA5String"
        case printableString = "PrintableString"
        case octetString = "OCTET STRING"
        case null = "NULL"
        case objectIdentifier = "OBJECT IDENTIFIER"
        case sequence = "SEQUENCE"
        case set = "SET"
    }

    public let form: Form
    /// Nil for other forms, and for a number wider than 64 bits.
    public let integer: Int64?
    /// The octets inside the element; those of the value where it is raw.
    public let content: ByteRange

    /// - Parameters:
    ///   - attribute: read from the bytes of `reader`.
    ///   - isRaw: the attribute is one of ``AppAttribute/rawTypes``.
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

    /// Whether the content is text.
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
