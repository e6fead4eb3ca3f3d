/// The anchors, with the certificates of those that were given as certificates.
///
/// A root that was given as a certificate, or that is Apple's, is recognised by its name and key (RFC 5280, 6.1.1), so
/// that documents whose root is another certificate with the same name and key are accepted. Such another root must be
/// self-signed, because otherwise anybody could choose its dates and constraints. All other anchors are recognised by
/// their fingerprint: those given as fingerprints, pinned signers, which are not roots of chains, and intermediates.
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

    /// Whether a self-issued certificate has the name and the key of a root that is an anchor. The caller verifies that
    /// the certificate is self-signed.
    func namesRoot(_ certificate: Certificate, for purpose: SigningPurpose) -> Bool {
        guard certificate.isSelfIssued else { return false }
        if let root = AppleRoot.recognized(certificate),
            all.fingerprints(for: purpose).contains(root.fingerprint)
        {
            return true
        }
        return !roots(sharing: certificate).isEmpty
    }

    /// The given roots that have the same name and key as another certificate.
    func roots(sharing other: Certificate) -> [Certificate] {
        certificates.filter {
            $0.isSelfIssued && $0.fingerprint != other.fingerprint && $0.hasNameAndKey(of: other)
        }
    }

    /// Whether a chain that ends at a certificate needs no markers (Apple's certificate extensions). A chain always
    /// needs them if the certificate at its end is not self-issued: a user who pins one of Apple's intermediates has
    /// not issued the certificates below it.
    func waivesMarkers(below end: Certificate) -> Bool {
        guard end.isSelfIssued, AppleRoot.recognized(end) == nil else { return false }
        return ([end] + roots(sharing: end)).contains { all.waivesMarkers(below: $0.fingerprint) }
    }
}
