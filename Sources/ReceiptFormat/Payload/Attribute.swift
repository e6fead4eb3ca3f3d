/// One type–version–value triple of a payload.
///
/// ```
/// ReceiptAttribute ::= SEQUENCE {
///   type INTEGER, version INTEGER, value OCTET STRING }
/// ```
/// Apple, Receipt Validation Programming Guide, "Parse the Receipt".
public struct Attribute: Sendable, Hashable {
    /// The attribute's type, such as those of ``AppAttribute``.
    public let type: Int64
    /// The version of the type, which is not used.
    public let version: Int64
    /// The content of the value's octet string.
    public let value: ByteRange
}

extension ByteReader {
    /// Reads the next attribute of a payload's SET and moves past it.
    ///
    /// - Throws: `.fragmentedValue` if the value is in chunks, `.trailingBytes` if the SEQUENCE has more than three
    ///   members, and the errors of ``readElement(_:)``, ``readInteger()`` and ``readOctetString()``.
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
