public import ReceiptFormat

/// What a certificate says of itself, for people to read. Nothing is judged.
public struct CertificateDescription: Sendable, Hashable {
    /// As RFC 2253 writes names, UTF-8 unescaped.
    public let subject: String
    public let issuer: String
    /// Lower-case hexadecimal digits, two for each octet.
    public let serialNumber: String
    /// Milliseconds since 1970 UTC, first and last; nil where a date is unreadable.
    public let validity: ClosedRange<Int64>?
    /// The key's algorithm by OpenSSL's name, such as `rsaEncryption`.
    public let keyAlgorithm: String
    /// Nil where the key is unreadable.
    public let keyBits: Int?
    /// By OpenSSL's name, such as `sha256WithRSAEncryption`.
    public let signatureAlgorithm: String
    /// Of the certificate's DER.
    public let sha256: SHA256Digest
    public let isCertificateAuthority: Bool
    /// How many intermediates may stand below; nil where it is not limited.
    public let pathLength: Int?
    /// Apple's extensions, in the certificate's order.
    public let markers: [Marker]

    /// An extension by which Apple marks what a certificate is for.
    public struct Marker: Sendable, Hashable {
        /// In dotted form.
        public let identifier: String
        /// Nil where its meaning is not known here.
        public let name: String?
    }

    /// Reads the certificate that fills `range`; nil where there is none.
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

    /// The DER of a Name, such as a signer's issuer, as text; nil where it is none.
    public static func name(_ bytes: Span<UInt8>, in range: ByteRange) -> String? {
        Certificate.nameText(bytes, in: range)
    }
}

extension AppleMarker {
    /// Under which Apple numbers its certificate extensions.
    static let arc = "1.2.840.113635.100.6."

    /// What an extension of Apple's marks (Apple, Certification Practice
    /// Statements; Receipt Validation Programming Guide).
    static func name(of identifier: String) -> String? {
        switch identifier {
        case AppleMarker.intermediate.rawValue: "Worldwide Developer Relations intermediate"
        case AppleMarker.receiptSigning.rawValue: "App Store receipt signing"
        case "1.2.840.113635.100.6.5.1": "iTunes Store receipt signing"
        default: nil
        }
    }
}
