/// Identifier octets that occur in receipts, by their names in X.690.
///
/// Class and constructed bit are part of the value: `0x30` is a constructed
/// SEQUENCE.
public enum Tag {
    /// INTEGER, universal 2.
    public static let integer: UInt8 = 0x02
    /// OCTET STRING, universal 4, primitive: its content is the bytes.
    public static let octetString: UInt8 = 0x04
    /// OCTET STRING, universal 4, constructed: its content is chunks (X.690, 8.7.3).
    public static let constructedOctetString: UInt8 = 0x24
    /// NULL, universal 5.
    public static let null: UInt8 = 0x05
    /// OBJECT IDENTIFIER, universal 6.
    public static let objectIdentifier: UInt8 = 0x06
    /// UTF8String, universal 12, primitive.
    public static let utf8String: UInt8 = 0x0c
    /// PrintableString, universal 19, primitive.
    public static let printableString: UInt8 = 0x13
    /// IA5String, universal 22, primitive.
    public static let ia5String: UInt8 = 0x16
    /// SEQUENCE and SEQUENCE OF, universal 16, constructed.
    public static let sequence: UInt8 = 0x30
    /// SET and SET OF, universal 17, constructed.
    public static let set: UInt8 = 0x31
    /// Context-specific [0], primitive: a signer identified by its key identifier.
    public static let primitiveContext0: UInt8 = 0x80
    /// Context-specific [0], constructed.
    public static let context0: UInt8 = 0xa0
    /// Context-specific [1], constructed.
    public static let context1: UInt8 = 0xa1

    /// The bit that marks a constructed element (X.690, 8.1.2.5).
    static let constructedBit: UInt8 = 0x20
    /// The bits of the tag number. If all are set, a number above 30 follows in the next bytes (X.690, 8.1.2.4).
    static let tagNumberMask: UInt8 = 0x1f
}
