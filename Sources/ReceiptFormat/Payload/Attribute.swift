/// One type–version–value triple of a payload.
///
/// ```
/// ReceiptAttribute ::= SEQUENCE {
///   type INTEGER, version INTEGER, value OCTET STRING }
/// ```
/// Apple, Receipt Validation Programming Guide, "Parse the Receipt".
public struct Attribute: Sendable, Hashable {
    public let type: Int64
    public let version: Int64
    /// The raw octets of the value.
    public let value: ByteRange
}

extension ByteReader {
    /// Reads the next attribute of a payload's SET and moves past it.
    @_lifetime(self: copy self)
    public mutating func readAttribute() throws(MalformedReceipt) -> Attribute {
        var triple = reader(in: try readElement(Tag.sequence).content)
        let type = try triple.readInteger()
        let version = try triple.readInteger()
        let start = triple.position
        let value = try triple.readOctetString()
        guard !value.isFragmented else {
            throw MalformedReceipt(.fragmentedValue, at: start, attribute: type)
        }
        try triple.requireEnd()
        return Attribute(type: type, version: version, value: value.range)
    }
}
