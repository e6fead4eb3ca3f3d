/// The outer property list of a transaction receipt: what is signed, and the
/// signature, both still in base64.
///
/// ```
/// { "signature" = BASE64; "purchase-info" = BASE64; "environment" = "Sandbox";
///   "pod" = "100"; "signing-status" = "0"; }
/// ```
/// Only `purchase-info` is signed. The environment stands outside: two receipts
/// may differ in it alone and both verify; what tells is the transaction's number
/// (``ByteReader/isSandboxTransactionID(_:)``).
public struct TransactionEnvelope: Sendable, Hashable {
    public let signature: PropertyList.Text
    public let purchaseInfo: PropertyList.Text
    /// Absent in production.
    public let environment: PropertyList.Text?
    public let pod: PropertyList.Text?
    public let signingStatus: PropertyList.Text?

    /// Reads the envelope; a receipt without signature is none.
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
        pod = values[.pod]
        signingStatus = values[.signingStatus]
    }
}

extension ByteReader {
    /// Whether a property list, or the JSON that forgers write for one, begins
    /// here rather than a container: a brace after white space.
    public var beginsWithBrace: Bool {
        var index = position
        while index < end, (0x09...0x0d).contains(self[index]) || self[index] == 0x20 { index += 1 }
        return index < end && self[index] == UInt8(ascii: "{")
    }
}
