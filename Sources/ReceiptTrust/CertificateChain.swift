internal import ReceiptFormat

/// A container's certificates, put in order from the signer upwards and judged
/// by everything that does not depend on the receipt.
final class CertificateChain {
    /// What the chain says before the receipt's date is known.
    enum Standing {
        /// Leads to an anchor, every rule kept; valid within any of the dates.
        case anchored(validities: [ClosedRange<Int64>])
        /// Does not, or breaks a rule.
        case refused(Verdict, detail: String)
    }

    let signer: Certificate?
    /// Subject of the signer; nil where its certificate is missing.
    let signerName: String?
    let standing: Standing
    /// All certificates above the signer on paths to an anchor, and all other
    /// authorities in the container that lead to one, whether or not the chain is
    /// refused; in the order of their fingerprints.
    let issuers: [IssuerCertificate]

    /// The store's chains have three certificates.
    static let maximumLength = 8

    /// Builds and judges the chain of a container.
    ///
    /// Issuers are looked for among the anchors and the certificates of the
    /// container, whose order means nothing: every path is judged.
    init(
        of container: Container, in bytes: Span<UInt8>, anchors: TrustAnchors, digest: MessageDigest
    ) throws(OpenSSLError) {
        var given: [Certificate] = []
        for der in anchors.certificates {
            let whole = ByteRange(offset: 0, count: der.count)
            if let anchor = try Certificate(der.span, in: whole, digest: digest) { given.append(anchor) }
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
            for der in PEM.certificates(in: AppleRootCertificate.pem) ?? [] {
                let whole = ByteRange(offset: 0, count: der.count)
                if let root = try Certificate(der.span, in: whole, digest: digest) { known.append(root) }
            }
        }
        let met = Set(onPaths.map(\.fingerprint))
        let others = AuthoritySearch(anchors: anchors)
            .authorities(among: carried.filter { !met.contains($0.fingerprint) }, below: known)
        issuers = IssuerCertificates(onPaths + others).inOrder
    }

    /// When all certificates of a chain are valid; nil where that is never.
    static func commonValidity(of chain: [Certificate]) -> ClosedRange<Int64>? {
        var common: ClosedRange<Int64> = .min ... .max
        for certificate in chain {
            guard let validity = certificate.validity, common.overlaps(validity) else { return nil }
            common = common.clamped(to: validity)
        }
        return common
    }
}
