/// The outer property list of a transaction receipt. It contains the signed `purchase-info` and its signature, both in
/// base64.
///
/// ```
/// { "signature" = BASE64; "purchase-info" = BASE64; "environment" = "Sandbox";
///   "pod" = "100"; "signing-status" = "0"; }
/// ```
/// Only `purchase-info` is signed. The environment is not: two receipts may differ only in their environment and both
/// verify, so the environment has to be derived from the transaction's identifier
/// (``ByteReader/isSandboxTransactionID(_:)``).
public struct TransactionEnvelope: Sendable, Hashable {
    /// The ``SignatureBlob`` in base64, not empty.
    public let signature: PropertyList.Text
    /// The ``TransactionReceipt`` in base64, not empty.
    public let purchaseInfo: PropertyList.Text
    /// The stated environment; nil if it is absent or empty, as in production.
    public let environment: PropertyList.Text?

    /// Reads the envelope and requires that nothing follows it.
    ///
    /// - Throws: `.propertyList(.missing)` if the signature or the purchase-info is absent or empty,
    ///   `.propertyList(.invalidValue)` if the value of a ``TransactionKey`` is a dictionary, and the errors of
    ///   ``PropertyList/init(parsing:)``.
    public init(parsing reader: inout ByteReader) throws(MalformedReceipt) {
        let start = reader.position
        let values = try PropertyList(parsing: &reader).values(reader)
        guard let signature = values[.signature], !signature.range.isEmpty else {
            throw MalformedReceipt(.propertyList(.missing(.signature)), at: start)
        }
        guard let purchaseInfo = values[.purchaseInfo], !purchaseInfo.range.isEmpty else {
            throw MalformedReceipt(.propertyList(.missing(.purchaseInfo)), at: start)
        }
        self.signature = signature
        self.purchaseInfo = purchaseInfo
        environment = values[.environment].flatMap { $0.range.isEmpty ? nil : $0 }
    }
}

extension ByteReader {
    /// Whether a brace follows, after white space: the start of a transaction receipt or of JSON, which forgers write
    /// instead, but not of a container.
    public var beginsWithBrace: Bool {
        var index = position
        while index < end, (0x09...0x0d).contains(self[index]) || self[index] == 0x20 { index += 1 }
        return index < end && self[index] == UInt8(ascii: "{")
    }

    /// Whether a property list follows: after its first key there is an equals sign, where JSON has a colon.
    package var beginsWithPropertyList: Bool {
        var reader = self
        do throws(MalformedReceipt) {
            try reader.skipPropertyListSpace()
            guard try reader.readByte() == UInt8(ascii: "{") else { return false }
            try reader.skipPropertyListSpace()
            _ = try reader.readPropertyListText()
            try reader.skipPropertyListSpace()
            return reader.next == UInt8(ascii: "=")
        } catch {
            return false
        }
    }
}
