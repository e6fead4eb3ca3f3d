internal import ReceiptFormat

/// The chain of a container, from the signer to an anchor, validated by every rule
/// that does not depend on the receipt's date.
final class CertificateChain {
    /// The result of validation before the receipt's date is known.
    enum Standing {
        /// The chain leads to an anchor and keeps every rule; it is valid within any
        /// of the ranges, in milliseconds since 1970.
        case anchored(validities: [ClosedRange<Int64>])
        /// The chain leads to no anchor, or breaks a rule.
        case refused(Verdict, detail: String)
    }

    /// The signer's certificate; nil where the container doesn't carry it.
    let signer: Certificate?
    /// The subject of the signer's certificate; nil where that is missing.
    let signerName: String?
    /// The result of validation.
    let standing: Standing
    /// All certificates above the signer on paths to an anchor, and all other
    /// authorities in the container that lead to one, whether or not the chain is
    /// refused; in the order of their fingerprints.
    let issuers: [IssuerCertificate]

    /// The number of certificates in a chain. The store's chains have three.
    static let maximumLength = 8

    /// Builds and validates the chain of a container.
    ///
    /// Issuers are searched among the anchors and the certificates of the container,
    /// whatever their order; every path is validated.
    init(
        of container: Container, in bytes: Span<UInt8>, anchors: TrustAnchors, digest: MessageDigest
    ) throws(OpenSSLError) {
        var given: [Certificate] = []
        for der in anchors.certificates {
            if let anchor = try Certificate(der: der, digest: digest) { given.append(anchor) }
        }
        var carried: [Certificate] = []
        var reader = ByteReader(bytes, in: container.certificates)
        while !reader.isAtEnd, let element = try? reader.readElement() {
            if let certificate = try Certificate(bytes, in: element.whole, digest: digest) {
                carried.append(certificate)
            }
        }
        let candidates = given + carried
        signer = candidates.first { $0.isNamed(by: container.signer.identifier, in: bytes) }
        signerName = signer?.subject
        var onPaths: [Certificate] = []
        if let signer {
            let search = IssuerSearch(anchors: anchors, candidates: candidates, purpose: .appReceipts)
            let found = search.outcome(for: signer)
            onPaths = found.issuers
            if !found.validities.isEmpty {
                standing = .anchored(validities: found.validities)
            } else {
                let refusal = found.refusal ?? (.brokenChain, "no chain leads on from \(signer.subject)")
                standing = .refused(refusal.verdict, detail: refusal.detail)
            }
        } else {
            standing = .refused(.brokenChain, detail: "the signer's certificate is not in the receipt")
        }
        var known = given + onPaths
        if onPaths.isEmpty, anchors.fingerprints.isSuperset(of: TrustAnchors.apple.fingerprints) {
            // A receipt may carry authorities without their root.
            known += try PEM.certificates(in: AppleRootCertificate.pem, digest: digest).map { $0.certificate }
        }
        let met = Set(onPaths.map(\.fingerprint))
        let others = AuthoritySearch(anchors: anchors)
            .authorities(among: carried.filter { !met.contains($0.fingerprint) }, below: known)
        issuers = IssuerCertificates(onPaths + others).inOrder
    }

    /// The time in which all certificates of a chain are valid, in milliseconds
    /// since 1970; nil where there is none.
    static func commonValidity(of chain: [Certificate]) -> ClosedRange<Int64>? {
        var common: ClosedRange<Int64> = .min ... .max
        for certificate in chain {
            guard let validity = certificate.validity, common.overlaps(validity) else { return nil }
            common = common.clamped(to: validity)
        }
        return common
    }
}
