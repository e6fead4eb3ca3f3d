public import ReceiptFormat

/// The contents of a certificate, for people to read. Nothing is verified.
public struct CertificateDescription: Sendable, Hashable {
    /// The subject's name in the form of RFC 2253, UTF-8 unescaped.
    public let subject: String
    /// The issuer's name in the form of RFC 2253, UTF-8 unescaped.
    public let issuer: String
    /// The serial number in lower-case hexadecimal digits, two for each byte; a negative one has a minus before it.
    public let serialNumber: String
    /// The first and the last moment of validity, in milliseconds since 1970 UTC; nil if a date is unreadable, or the
    /// first is after the last.
    public let validity: ClosedRange<Int64>?
    /// The key's algorithm by OpenSSL's name, such as `rsaEncryption`.
    public let keyAlgorithm: String
    /// The key's size in bits; nil if the key is unreadable.
    public let keyBits: Int?
    /// The signature's algorithm by OpenSSL's name, such as `sha256WithRSAEncryption`.
    public let signatureAlgorithm: String
    /// The fingerprint, the SHA-256 of the certificate's DER.
    public let sha256: SHA256Digest
    /// Whether the basic constraints make the certificate an authority (RFC 5280, 4.2.1.9).
    public let isCertificateAuthority: Bool
    /// The maximum number of intermediates below the certificate; nil if it is not limited.
    public let pathLength: Int?
    /// Apple's extensions, in the certificate's order.
    public let markers: [Marker]

    /// An extension by which Apple marks the purpose of a certificate.
    public struct Marker: Sendable, Hashable {
        /// The extension's object identifier in dotted form.
        public let identifier: String
        /// The purpose in words; nil if it is unknown.
        public let name: String?
    }

    /// Reads the certificate that fills `range`; nil if the bytes are not a certificate.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the bytes.
    public init?(_ bytes: Span<UInt8>, in range: ByteRange) throws(OpenSSLError) {
        guard let certificate = try Certificate(bytes, in: range, digest: MessageDigest()) else { return nil }
        subject = certificate.subject
        issuer = certificate.issuer
        serialNumber = certificate.serialNumber
        validity = certificate.validity
        keyAlgorithm = certificate.keyAlgorithmName
        keyBits = certificate.publicKey?.bits
        signatureAlgorithm = certificate.signatureAlgorithmName
        sha256 = certificate.fingerprint
        isCertificateAuthority = certificate.isCertificateAuthority
        pathLength = certificate.pathLength
        markers = certificate.extensionIdentifiers
            .filter { $0.hasPrefix(AppleMarker.arc) }
            .map { Marker(identifier: $0, name: AppleMarker.name(of: $0)) }
    }

    /// The text of a DER Name, such as a signer's issuer, in the form of RFC 2253; nil if the bytes are not a Name.
    public static func name(_ bytes: Span<UInt8>, in range: ByteRange) -> String? {
        Certificate.nameText(bytes, in: range)
    }
}

extension AppleMarker {
    /// The arc of the object identifiers of Apple's certificate extensions.
    static let arc = "1.2.840.113635.100.6."

    /// The purpose that one of Apple's extensions marks (Apple, Certification Practice Statements; Receipt Validation
    /// Programming Guide).
    static func name(of identifier: String) -> String? {
        switch identifier {
        case AppleMarker.intermediate.rawValue: "Worldwide Developer Relations intermediate"
        case AppleMarker.receiptSigning.rawValue: "App Store receipt signing"
        case "1.2.840.113635.100.6.5.1": "iTunes Store receipt signing"
        default: nil
        }
    }
}
