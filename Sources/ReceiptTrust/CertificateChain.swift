/// The chain of a container, from the signer to an anchor, validated by every rule
/// that does not depend on the receipt's date.
final class CertificateChain {
    /// The result of validation before the receipt's date is known.
    enum ChainValidation {
        /// The chain leads to an anchor and obeys all rules. It is valid within any of the ranges, in milliseconds
        /// since 1970.
        case anchored(validities: [ClosedRange<Int64>])
        /// The chain leads to no anchor, or breaks a rule.
        case refused(Verdict, detail: String)
    }

    /// The signer's certificate; nil if the container doesn't contain it.
    let signer: Certificate?
    /// The subject of the signer's certificate; nil if the certificate is missing.
    let signerName: String?
    /// The result of validation.
    let validation: ChainValidation
    /// All certificates above the signer on paths to an anchor, and all other authorities in the container that lead to
    /// one, whether or not the chain is refused; in the order of their fingerprints.
    let issuers: [IssuerCertificate]

    /// The maximum accepted number of certificates in a chain; Apple's chains have three.
    static let maximumLength = 8

    /// Builds and validates a chain.
    ///
    /// Issuers are searched among the anchors and the certificates of the container, whatever their order; every path
    /// is validated. A certificate that is on no path is not decoded.
    init(of input: ChainInput, anchors: TrustAnchors, digest: MessageDigest) throws(OpenSSLError) {
        let decoded = try DecodedAnchors(anchors, digest: digest)
        let given = decoded.certificates
        var carried = CarriedCertificates(input.certificates, digest: digest)
        if let anchor = given.first(where: { $0.isNamed(by: input.signerName) }) {
            signer = anchor
        } else {
            signer = try carried.signer(input.signerName)
        }
        signerName = signer?.subject
        var onPaths: [Certificate] = []
        if let signer {
            let candidates = given + (try carried.issuers(of: [signer] + given))
            let search = IssuerSearch(anchors: decoded, candidates: candidates, purpose: .appReceipts)
            let found = search.outcome(for: signer)
            onPaths = found.issuers
            if !found.validities.isEmpty {
                validation = .anchored(validities: found.validities)
            } else {
                let refusal = found.refusal ?? (.brokenChain, "no chain leads on from \(signer.subject)")
                validation = .refused(refusal.verdict, detail: refusal.detail)
            }
        } else {
            validation = .refused(.brokenChain, detail: Self.signerlessDetail)
        }
        var known = given + onPaths
        if onPaths.isEmpty, anchors.fingerprints.isSuperset(of: TrustAnchors.apple.fingerprints) {
            // A receipt may contain authorities without their root.
            known += try PEM.certificates(in: AppleRootCertificate.pem, digest: digest).map { $0.certificate }
        }
        let met = Set(onPaths.map(\.fingerprint))
        let perhapsIssued = try carried.issued(by: known, or: anchors.fingerprints)
        let others = AuthoritySearch(anchors: anchors)
            .authorities(among: perhapsIssued.filter { !met.contains($0.fingerprint) }, below: known)
        issuers = CertificatePool(onPaths + others).inOrder
    }

    /// The reason for refusing a chain without its signer's certificate.
    static let signerlessDetail = "no certificate in the receipt has the name of its signer"

    /// The time in which all certificates of a chain are valid, in milliseconds since 1970; nil if they are never valid
    /// together. Validity is stated in whole seconds and includes the last one (RFC 5280, 4.1.2.5), so the time ends
    /// with the last millisecond of that second.
    static func commonValidity(of chain: [Certificate]) -> ClosedRange<Int64>? {
        var common: ClosedRange<Int64> = .min ... .max
        for certificate in chain {
            guard let seconds = certificate.validity else { return nil }
            let validity = seconds.lowerBound...seconds.upperBound + 999
            guard common.overlaps(validity) else { return nil }
            common = common.clamped(to: validity)
        }
        return common
    }
}
