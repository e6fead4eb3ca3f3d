/// Identifier octets that receipts use, by their X.690 names.
///
/// Class and constructed bit are part of the value: `0x30` is a constructed
/// SEQUENCE.
public enum Tag {
    public static let integer: UInt8 = 0x02
    public static let octetString: UInt8 = 0x04
    public static let constructedOctetString: UInt8 = 0x24
    public static let null: UInt8 = 0x05
    public static let objectIdentifier: UInt8 = 0x06
    public static let utf8String: UInt8 = 0x0c
    public static let printableString: UInt8 = 0x13
    public static let ia5String: UInt8 = 0x16
    public static let sequence: UInt8 = 0x30
    public static let set: UInt8 = 0x31
    /// Context-specific [0], primitive: a signer named by key identifier.
    public static let primitiveContext0: UInt8 = 0x80
    /// Context-specific [0], constructed.
    public static let context0: UInt8 = 0xa0
    /// Context-specific [1], constructed.
    public static let context1: UInt8 = 0xa1

    static let constructedBit: UInt8 = 0x20
    static let tagNumberMask: UInt8 = 0x1f
}
