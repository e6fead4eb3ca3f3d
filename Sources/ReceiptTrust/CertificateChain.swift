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
    /// All certificates above the signer on paths to an anchor, in the order of
    /// their fingerprints; none of a chain that is refused.
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
        var candidates: [Certificate] = []
        for der in anchors.certificates {
            let whole = ByteRange(offset: 0, count: der.count)
            if let anchor = try Certificate(der.span, in: whole, digest: digest) { candidates.append(anchor) }
        }
        var reader = ByteReader(bytes, in: container.certificates)
        while !reader.isAtEnd, let element = try? reader.readElement() {
            if let certificate = try Certificate(bytes, in: element.whole, digest: digest) {
                candidates.append(certificate)
            }
        }
        signer = candidates.first { $0.isNamed(by: container.signer.identifier, in: bytes) }
        signerName = signer?.subject
        guard let signer else {
            standing = .refused(.brokenChain, detail: "the signer's certificate is not in the receipt")
            issuers = []
            return
        }
        let found = IssuerSearch(anchors: anchors, candidates: candidates, purpose: .appReceipts).outcome(for: signer)
        if !found.validities.isEmpty {
            standing = .anchored(validities: found.validities)
            issuers = IssuerCertificates(found.issuers).inOrder
        } else {
            let refusal = found.refusal ?? (.brokenChain, "no chain leads on from \(signer.subject)")
            standing = .refused(refusal.verdict, detail: refusal.detail)
            issuers = []
        }
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
