internal import ReceiptFormat

/// The signer of signed data, as stated by a header, verified by all rules that do not depend on the payload. Apple's
/// headers remain the same, byte for byte, for years.
///
/// Not for use by two threads at once.
public final class SignedDataSigner {
    /// The key of the header's first certificate.
    enum SignerKey {
        /// The header or the certificate breaks a rule that is checked before the signature.
        case refused(Refusal)
        /// Signatures can be verified with this key.
        case readable(PublicKey)
    }

    /// The first rule that a signer breaks, with the verdict and its reason.
    struct Refusal: Error {
        let rule: SignedDataRule
        let verdict: Verdict
        let detail: String

        init(_ rule: SignedDataRule, _ verdict: Verdict, _ detail: String) {
            (self.rule, self.verdict, self.detail) = (rule, verdict, detail)
        }
    }

    /// The result of verifying the chain, which is done only if a signature holds.
    enum SignerChain {
        /// The chain leads to an anchor and obeys all rules. All its certificates are valid within any of the ranges,
        /// in milliseconds since 1970.
        case anchored(validities: [ClosedRange<Int64>])
        case refused(Refusal)
    }

    let key: SignerKey
    /// The subject of the first certificate; nil if the certificate can't be read.
    public let name: String?
    private let certificates: [Certificate]
    /// The last result for the chain, and the anchors with which it was verified: verifiers with different anchors may
    /// share a signer.
    private var verified: (anchors: TrustAnchors, chain: SignerChain)?
    /// The number of signatures that were verified without tables.
    private var uses = 0
    private var tables: CurvePointTables?

    init(_ header: SignedHeader, digest: MessageDigest) throws(OpenSSLError) {
        (key, certificates) = try Self.read(header, digest)
        name = certificates.first?.subject
    }

    private static func read(
        _ header: SignedHeader, _ digest: MessageDigest
    ) throws(OpenSSLError) -> (SignerKey, [Certificate]) {
        guard header.algorithm == "ES256" else {
            let stated = header.algorithm.map { "algorithm \($0)" } ?? "no algorithm"
            return (
                .refused(Refusal(.algorithm, .unsupportedAlgorithm, "the header names \(stated), where ES256 is read")),
                []
            )
        }
        guard !header.hasCriticalExtensions else {
            return (.refused(Refusal(.algorithm, .unsupportedAlgorithm, "the header demands extensions (crit)")), [])
        }
        guard let stated = header.certificates, !stated.isEmpty else {
            return (.refused(Refusal(.certificates, .brokenChain, "the header holds no certificates (x5c)")), [])
        }
        guard stated.count <= CertificateChain.maximumLength else {
            let detail = "the header holds more than \(CertificateChain.maximumLength) certificates"
            return (.refused(Refusal(.certificates, .brokenChain, detail)), [])
        }
        var certificates: [Certificate] = []
        for (index, der) in stated.enumerated() {
            guard let der, let certificate = try Certificate(der: der, digest: digest) else {
                let detail = "certificate \(index + 1) of x5c can't be read"
                return (.refused(Refusal(.certificates, .brokenChain, detail)), certificates)
            }
            certificates.append(certificate)
        }
        guard let key = certificates[0].publicKey, key.curve == .p256 else {
            let refusal = Refusal(.signerKey, .unsupportedAlgorithm, "the signer's key is not P-256")
            return (.refused(refusal), certificates)
        }
        return (.readable(key), certificates)
    }

    /// The number of signatures after which tables of the key are made. Making them takes as long as verifying some
    /// five hundred signatures without tables.
    private static let usesBeforeTables = 512

    /// The tables of the key, made once enough signatures were verified; nil before that, and if the chain leads to no
    /// anchor, because anyone can make keys.
    ///
    /// - Parameters:
    ///   - count: the number of signatures to be verified.
    ///   - make: makes the tables of an uncompressed point; nil if no tables can be made.
    func tables(for count: Int, anchors: DecodedAnchors, make: ([UInt8]) -> CurvePointTables?) -> CurvePointTables? {
        if let tables { return tables }
        uses += count
        guard uses >= Self.usesBeforeTables, case .readable(let key) = key,
            case .anchored = chain(anchors: anchors), let point = key.point
        else { return nil }
        tables = make(point)
        // If no tables could be made, no later call tries again.
        uses = .min
        return tables
    }

    /// Verifies the chain, which is `x5c` in its order; no other path is searched (RFC 7515, 4.1.6).
    func chain(anchors: DecodedAnchors) -> SignerChain {
        if let verified, verified.anchors == anchors.all { return verified.chain }
        let chain = Self.verify(certificates, anchors)
        verified = (anchors.all, chain)
        return chain
    }

    private static func verify(_ chain: [Certificate], _ anchors: DecodedAnchors) -> SignerChain {
        let top = chain[chain.count - 1]
        let isAnchor = anchors.holds(top, for: .signedData)
        func refused(_ rule: SignedDataRule, _ verdict: Verdict, _ detail: String) -> SignerChain {
            .refused(Refusal(rule, verdict, detail))
        }
        if chain.count == 1, !isAnchor {
            let root = "\(top.subject), sha256:\(top.fingerprint.hex)"
            return refused(.pinnedSigner, .untrustedRoot, "the only certificate is no anchor: \(root)")
        }
        for (certificate, issuer) in zip(chain, chain.dropFirst()) {
            let subject = certificate.subject
            guard certificate.names(issuer) else {
                return refused(
                    .order, .brokenChain, "\(subject) does not name the next as its issuer: \(issuer.subject)")
            }
            guard certificate.isSigned(by: issuer) else {
                return refused(.order, .brokenChain, "the issuer of \(subject) did not sign it: \(issuer.subject)")
            }
        }
        guard isAnchor || anchors.namesRoot(top, for: .signedData) && top.isSigned(by: top) else {
            return refused(.anchor, .untrustedRoot, AppleRoot.refusal(of: top))
        }
        // Another certificate of the anchor may be valid at other times than the one in the header.
        var validities: [ClosedRange<Int64>] = []
        var refusal: Refusal?
        for end in chain.count > 1 ? [top] + anchors.roots(sharing: top) : [top] {
            let isReissued = !anchors.holds(end, for: .signedData)
            switch validity(of: chain.dropLast() + [end], isReissued: isReissued, anchors) {
            case .success(let validity): validities.append(validity)
            case .failure(let other): refusal = refusal ?? other
            }
        }
        if validities.isEmpty, let refusal { return .refused(refusal) }
        return .anchored(validities: validities)
    }

    /// The time in which all certificates of a chain to an anchor are valid, or the first rule that the chain breaks.
    private static func validity(
        of chain: [Certificate], isReissued: Bool, _ anchors: DecodedAnchors
    ) -> Result<ClosedRange<Int64>, Refusal> {
        let isMarked = chain.last.map { !anchors.waivesMarkers(below: $0) } ?? true
        let broken = ChainRules.brokenRule(of: chain, for: .signedData, isMarked: isMarked, isReissued: isReissued)
        if let broken {
            let rule = broken.verdict == .wrongPurpose ? SignedDataRule.purpose : .strength
            return .failure(Refusal(rule, broken.verdict, broken.detail))
        }
        guard let validity = CertificateChain.commonValidity(of: chain) else {
            let detail = "the chain's certificates were never valid together"
            return .failure(Refusal(.dates, .notValidAtCreation, detail))
        }
        return .success(validity)
    }
}
