internal import ReceiptFormat

/// A container's certificates, put in order from the signer upwards and judged
/// by everything that does not depend on the receipt.
final class CertificateChain {
    /// What the chain says before the receipt's date is known.
    enum Standing {
        /// Leads to an anchor, every rule kept; valid within the dates. The issuers
        /// are all above the signer.
        case anchored(validity: ClosedRange<Int64>, issuers: ArraySlice<Certificate>)
        /// Does not, or breaks a rule.
        case refused(Verdict, detail: String)
    }

    let signer: Certificate?
    /// Subject of the signer; nil where its certificate is missing.
    let signerName: String?
    let standing: Standing

    /// The store's chains have three certificates.
    static let maximumLength = 8

    /// Builds and judges the chain of a container.
    ///
    /// An issuer is looked for among the anchors first, then among the
    /// certificates of the container, in any order. It must bear the name that
    /// is asked for and its key must have signed.
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
            return
        }
        standing = Self.judge(signer, candidates: candidates, anchors: anchors)
    }

    private static func judge(
        _ signer: Certificate, candidates: [Certificate], anchors: TrustAnchors
    ) -> Standing {
        var chain = [signer]
        var top = signer
        while !anchors.fingerprints.contains(top.fingerprint) {
            if top.isSelfIssued {
                guard top.isSigned(by: top) else {
                    return .refused(.brokenChain, detail: "the root does not bear its own signature: \(top.subject)")
                }
                return .refused(
                    .untrustedRoot,
                    detail: "the chain ends at \(top.subject), sha256:\(top.fingerprint.hex), which is no anchor")
            }
            let named = candidates.filter { top.names($0) }
            guard let issuer = named.first(where: { top.isSigned(by: $0) }) else {
                let fault = named.isEmpty ? "is missing" : "did not sign it"
                return .refused(.brokenChain, detail: "the issuer of \(top.subject) \(fault): \(top.issuer)")
            }
            guard chain.count < maximumLength else {
                return .refused(.brokenChain, detail: "more than \(maximumLength) certificates in the chain")
            }
            chain.append(issuer)
            top = issuer
        }
        if let broken = ChainRules.brokenRule(of: chain) {
            return .refused(broken.verdict, detail: broken.detail)
        }
        guard let validity = commonValidity(of: chain) else {
            return .refused(.notValidAtCreation, detail: "the chain's certificates were never valid together")
        }
        return .anchored(validity: validity, issuers: chain.dropFirst())
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
