/// Certificates that may be between a signer and an anchor: those that the user gives, and those found in app receipts.
///
/// A certificate of the pool is a candidate, but not trusted: a chain through it has to lead to an anchor and obey all
/// rules.
public struct CertificatePool: Sendable, Hashable {
    /// The DER of the certificates by fingerprint. Searches try them in the order of fingerprints, so that the result
    /// doesn't depend on which was added first.
    public private(set) var certificates: [SHA256Digest: [UInt8]] = [:]

    /// An empty set of candidates.
    public init() {}

    init(_ certificates: [Certificate]) {
        for certificate in certificates { self.certificates[certificate.fingerprint] = certificate.der }
    }

    /// All certificates in the order of their fingerprints.
    var inOrder: [IssuerCertificate] {
        certificates.map { IssuerCertificate(fingerprint: $0, der: $1) }.sorted { $0.fingerprint < $1.fingerprint }
    }

    /// The number of certificates.
    public var count: Int { certificates.count }

    /// Adds the certificates of a file's bytes: one in DER, or any number in PEM
    /// (RFC 7468).
    ///
    /// - Returns: the number of certificates in the bytes; 0 if there are none.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the bytes.
    @discardableResult
    public mutating func insertCertificates(of file: [UInt8]) throws(OpenSSLError) -> Int {
        let found = try PEM.certificates(in: file, digest: MessageDigest())
        for (certificate, der) in found { certificates[certificate.fingerprint] = der }
        return found.count
    }

    /// Adds all certificates of `other`.
    public mutating func formUnion(_ other: CertificatePool) {
        certificates.merge(other.certificates) { own, _ in own }
    }

    mutating func insert(_ certificate: IssuerCertificate) {
        certificates[certificate.fingerprint] = certificate.der
    }
}

/// A certificate that may be above a signer.
public struct IssuerCertificate: Sendable, Hashable {
    /// The SHA-256 of the DER.
    public let fingerprint: SHA256Digest
    /// The certificate in DER.
    public let der: [UInt8]
}
