/// The decoded `signature` of a transaction receipt.
///
/// ```
/// version      1 byte: 2 or 3
/// signature    128 bytes (version 2) or 256 (version 3)
/// count        4 bytes, the most significant first
/// certificate  count bytes of DER: the signer's, without its issuers'
/// ```
/// Apple, "In-App Purchase Receipt Validation on iOS" (2012), for version 2;
/// version 3 is known from receipts. The issuers are not in the receipt.
public struct SignatureBlob: Sendable, Hashable {
    /// The version of a signature, which decides its length and its signer.
    public enum Version: UInt8, Sendable, Hashable, CaseIterable {
        /// RSA-1024, by the signer of the iTunes Store.
        case two = 2
        /// RSA-2048, by the signer of app receipts.
        case three = 3

        /// The size of the signature in bytes.
        public var signatureCount: Int { self == .two ? 128 : 256 }
    }

    /// The version of the signature.
    public let version: Version
    /// The byte that states the version; it is signed, too.
    public let versionByte: ByteRange
    /// The bytes of the RSA signature.
    public let signature: ByteRange
    /// The DER of the signer's certificate.
    public let certificate: ByteRange

    /// Reads the blob and requires that nothing follows the certificate.
    ///
    /// - Throws: `.propertyList(.signatureVersion)` if the version is neither 2 nor 3, `.truncated` if bytes are
    ///   missing, `.trailingBytes` if there are too many.
    public init(parsing reader: inout ByteReader) throws(MalformedReceipt) {
        versionByte = try reader.readBytes(1)
        let stated = reader[versionByte.offset]
        guard let version = Version(rawValue: stated) else {
            throw MalformedReceipt(.propertyList(.signatureVersion(stated)), at: versionByte.offset)
        }
        self.version = version
        signature = try reader.readBytes(version.signatureCount)
        var count = 0
        for _ in 0..<4 { count = count << 8 | Int(try reader.readByte()) }
        certificate = try reader.readBytes(count)
        try reader.requireEnd()
    }
}
