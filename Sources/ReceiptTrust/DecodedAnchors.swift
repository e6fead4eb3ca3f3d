/// Anchors, with the certificates of those that were given as certificates.
///
/// A root that was given as a certificate, and a root of Apple's, is known by name and key (RFC
/// 5280, 6.1.1), so that documents hold whose root is another certificate for the same name and
/// key. Such a root has to bear its own signature, because its dates and constraints would
/// otherwise be anybody's. All other anchors are known by their fingerprint: those given as such,
/// pinned signers, which are no roots of chains, and intermediates.
struct DecodedAnchors {
    let all: TrustAnchors
    /// The anchors that were given as certificates.
    let certificates: [Certificate]

    init(_ anchors: TrustAnchors, digest: MessageDigest) throws(OpenSSLError) {
        all = anchors
        var certificates: [Certificate] = []
        for der in anchors.certificates {
            if let certificate = try Certificate(der: der, digest: digest) { certificates.append(certificate) }
        }
        self.certificates = certificates
    }

    /// Whether a certificate itself is an anchor.
    func holds(_ certificate: Certificate, for purpose: SigningPurpose) -> Bool {
        all.fingerprints(for: purpose).contains(certificate.fingerprint)
    }

    /// Whether a self-issued certificate has the name and the key of a root that is an anchor. The
    /// caller verifies that the certificate bears its own signature.
    func namesRoot(_ certificate: Certificate, for purpose: SigningPurpose) -> Bool {
        guard certificate.isSelfIssued else { return false }
        if let root = AppleRoot.recognized(certificate),
            all.fingerprints(for: purpose).contains(root.fingerprint)
        {
            return true
        }
        return !roots(sharing: certificate).isEmpty
    }

    /// The given roots that have the name and the key of another certificate.
    func roots(sharing other: Certificate) -> [Certificate] {
        certificates.filter {
            $0.isSelfIssued && $0.fingerprint != other.fingerprint && $0.hasNameAndKey(of: other)
        }
    }

    /// Whether a chain that ends at a certificate needs no markers. A chain that ends at a
    /// certificate which is not self-issued always needs them: a user who pins an intermediate of
    /// Apple's has not issued the certificates below it.
    func waivesMarkers(below end: Certificate) -> Bool {
        guard end.isSelfIssued, AppleRoot.recognized(end) == nil else { return false }
        return ([end] + roots(sharing: end)).contains { all.waivesMarkers(below: $0.fingerprint) }
    }
}
