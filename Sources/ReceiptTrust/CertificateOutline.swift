internal import COpenSSL
internal import ReceiptFormat

/// The parts of a certificate that are needed to search for chains, read without decoding its key.
///
/// ```
/// TBSCertificate ::= SEQUENCE {
///   version [0] Version DEFAULT v1, serialNumber INTEGER, signature AlgorithmIdentifier,
///   issuer Name, validity Validity, subject Name, subjectPublicKeyInfo SubjectPublicKeyInfo,
///   issuerUniqueID [1] OPTIONAL, subjectUniqueID [2] OPTIONAL, extensions [3] OPTIONAL }
/// ```
/// The grammar is that of RFC 5280, 4.1. An outline is used only to select the certificates to decode; chains are
/// validated with decoded certificates.
struct CertificateOutline {
    /// All bytes of the certificate.
    let whole: ByteRange
    let issuer, subject: DistinguishedName
    /// Whether the key is RSA or P-256. A key of another kind is never found to have signed a certificate of a receipt,
    /// because ``VerificationBudget`` does not suffice for it.
    let hasIssuersKey: Bool
    /// The content of the serial number.
    private let serialNumber: ByteRange
    /// The content of the subject key identifier.
    private let keyIdentifier: ByteRange?

    /// Reads the outline of an element; nil if the element is not a certificate.
    init?(_ bytes: Span<UInt8>, in element: Element) {
        guard element.tag == Tag.sequence else { return nil }
        whole = element.whole
        let all = ByteReader(bytes)
        do throws(MalformedReceipt) {
            var certificate = all.reader(in: element.content)
            var fields = all.reader(in: try certificate.readElement(Tag.sequence).content)
            _ = try fields.readOptionalElement(Tag.context0)
            serialNumber = try fields.readElement(Tag.integer).content
            _ = try fields.readElement(Tag.sequence)
            let names = (try fields.readElement(Tag.sequence), try fields.readElement(Tag.sequence))
            let subjectElement = try fields.readElement(Tag.sequence)
            guard let issuer = DistinguishedName(bytes, in: names.0.whole),
                let subject = DistinguishedName(bytes, in: subjectElement.whole)
            else { return nil }
            (self.issuer, self.subject) = (issuer, subject)
            hasIssuersKey = try Self.isIssuersKey(all.reader(in: fields.readElement(Tag.sequence).content))
            keyIdentifier = try Self.keyIdentifier(&fields)
        } catch {
            return nil
        }
    }

    /// Whether the name by which a container identifies its signer matches this certificate.
    func isNamed(by name: ChainInput.SignerName, in bytes: Span<UInt8>) -> Bool {
        let reader = ByteReader(bytes)
        switch name {
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            // OpenSSL requires serial numbers in the fewest bytes, so that equal numbers have equal bytes.
            guard reader.matches(self.serialNumber, serialNumber) else { return false }
            return DistinguishedName(issuer.span, in: ByteRange(offset: 0, count: issuer.count))?
                .equals(self.issuer) ?? false
        case .subjectKeyIdentifier(let identifier):
            return keyIdentifier.map { reader.matches($0, identifier) } ?? false
        }
    }

    /// 1.2.840.10045.2.1, an elliptic-curve key, and 1.2.840.10045.3.1.7, P-256 (RFC 5480, 2.1.1).
    private static let ellipticCurve: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1]
    private static let p256: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7]
    /// 2.5.29.14, the subject key identifier (RFC 5280, 4.2.1.2).
    private static let subjectKeyIdentifier: [UInt8] = [0x55, 0x1d, 0x0e]

    /// BOOLEAN, and the context-specific [3] of the extensions.
    private static let (booleanTag, extensionsTag): (UInt8, UInt8) = (0x01, 0xa3)

    /// - Parameter key: the content of a SubjectPublicKeyInfo.
    private static func isIssuersKey(_ key: consuming ByteReader) throws(MalformedReceipt) -> Bool {
        var algorithm = key.reader(in: try key.readElement(Tag.sequence).content)
        let kind = try algorithm.readElement(Tag.objectIdentifier).content
        if algorithm.matches(kind, ObjectIdentifier.rsaEncryption) { return true }
        guard algorithm.matches(kind, ellipticCurve),
            let curve = try algorithm.readOptionalElement(Tag.objectIdentifier)
        else { return false }
        return algorithm.matches(curve.content, p256)
    }

    /// - Parameter fields: the fields after the key in a TBSCertificate.
    private static func keyIdentifier(_ fields: inout ByteReader) throws(MalformedReceipt) -> ByteRange? {
        while !fields.isAtEnd {
            let field = try fields.readElement()
            guard field.tag == extensionsTag else { continue }
            var explicit = fields.reader(in: field.content)
            var extensions = explicit.reader(in: try explicit.readElement(Tag.sequence).content)
            while !extensions.isAtEnd {
                var one = extensions.reader(in: try extensions.readElement(Tag.sequence).content)
                let kind = try one.readElement(Tag.objectIdentifier).content
                guard one.matches(kind, subjectKeyIdentifier) else { continue }
                _ = try one.readOptionalElement(booleanTag)
                var value = one.reader(in: try one.readElement(Tag.octetString).content)
                return try value.readElement(Tag.octetString).content
            }
        }
        return nil
    }
}

/// A Name of X.501 (RFC 5280, 4.1.2.4).
final class DistinguishedName {
    private let name: OpaquePointer

    /// Reads a DER Name; nil if the bytes are not a Name.
    init?(_ bytes: Span<UInt8>, in range: ByteRange) {
        let parsed = bytes.extracting(range.indices).withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            return d2i_X509_NAME(nil, &next, buffer.count)
        }
        guard let parsed else {
            ERR_clear_error()
            return nil
        }
        name = parsed
    }

    /// Copies a name, so that it outlives the certificate that contains the original.
    init(copying other: OpaquePointer?) throws(OpenSSLError) {
        guard let copy = X509_NAME_dup(other) else { throw OpenSSLError("X509_NAME_dup") }
        name = copy
    }

    deinit { X509_NAME_free(name) }

    /// Whether two names are equal (RFC 5280, 7.1).
    func equals(_ other: DistinguishedName) -> Bool { X509_NAME_cmp(name, other.name) == 0 }
}
