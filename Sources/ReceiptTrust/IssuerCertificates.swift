internal import ReceiptFormat

/// Certificates that may stand between a signer and an anchor: those the user
/// gives, and those seen in app receipts.
///
/// Candidates only. None is trusted for being here; a chain over them has to
/// lead to an anchor and keep every rule.
public struct IssuerCertificates: Sendable, Hashable {
    /// DER by fingerprint, in whose order they are tried: which chain is found
    /// never depends on which certificate was learned first.
    public private(set) var certificates: [SHA256Digest: [UInt8]] = [:]

    public init() {}

    init(_ certificates: [Certificate]) {
        for certificate in certificates { self.certificates[certificate.fingerprint] = certificate.der }
    }

    /// All of them, in the order of their fingerprints.
    var inOrder: [IssuerCertificate] {
        certificates.map { IssuerCertificate(fingerprint: $0, der: $1) }.sorted { $0.fingerprint < $1.fingerprint }
    }

    public var count: Int { certificates.count }

    /// Adds the certificates of a file's bytes: one in DER, or any number in PEM
    /// (RFC 7468).
    ///
    /// - Returns: how many the bytes hold.
    @discardableResult
    public mutating func insertCertificates(of file: [UInt8]) throws(OpenSSLError) -> Int {
        let digest = try MessageDigest()
        var found = 0
        for der in PEM.certificates(in: file) ?? [file] {
            let range = ByteRange(offset: 0, count: der.count)
            guard let certificate = try Certificate(der.span, in: range, digest: digest) else { continue }
            certificates[certificate.fingerprint] = der
            found += 1
        }
        return found
    }

    /// Adds all of `other`.
    public mutating func formUnion(_ other: IssuerCertificates) {
        certificates.merge(other.certificates) { own, _ in own }
    }

    mutating func insert(_ certificate: IssuerCertificate) {
        certificates[certificate.fingerprint] = certificate.der
    }
}

/// A certificate that may stand above a signer.
public struct IssuerCertificate: Sendable, Hashable {
    /// SHA-256 of the DER.
    public let fingerprint: SHA256Digest
    public let der: [UInt8]
}
