public import ReceiptFormat

/// Judges transaction receipts of iOS 6 and before: signature first, then the
/// chain, then its dates.
///
/// Signed is the version byte, followed by the decoded `purchase-info`, with
/// SHA-1 and RSASSA-PKCS1-v1_5. The receipt carries the signer's certificate
/// alone; its issuers have to be known (``IssuerCertificates``). What the signer
/// must be made for depends on the signature's version: ``SigningPurpose``.
///
/// There is no creation date. Certificates are judged at the purchase date,
/// which the store wrote at the moment of signing a purchase; a restored purchase
/// keeps the date of the restore there and the first one beside it.
///
/// Not for use by two threads at once: every worker has its own.
public final class TransactionVerifier {
    private let anchors: TrustAnchors
    private let digest: MessageDigest
    private let candidates: [Certificate]
    private var signers: [KnownSigner] = []

    /// A signer that was judged, by the bytes of its certificate.
    private struct KnownSigner {
        let der: [UInt8]
        let version: SignatureBlob.Version
        /// Nil where the bytes are no certificate.
        let certificate: Certificate?
        let outcome: IssuerSearch.Outcome
    }

    /// Signers that are remembered. The store had three.
    static let capacity = 64

    public init(anchors: TrustAnchors, issuers: IssuerCertificates) throws(OpenSSLError) {
        self.anchors = anchors
        digest = try MessageDigest()
        var known = issuers
        for der in anchors.certificates { try known.insertCertificates(of: der) }
        try known.insertCertificates(of: AppleRootCertificate.pem)
        var candidates: [Certificate] = []
        for (_, der) in known.certificates.sorted(by: { $0.key < $1.key }) {
            let range = ByteRange(offset: 0, count: der.count)
            if let certificate = try Certificate(der.span, in: range, digest: digest) { candidates.append(certificate) }
        }
        self.candidates = candidates
    }

    /// The verdict on a transaction receipt.
    ///
    /// - Parameters:
    ///   - blob: its signature, parsed from `bytes`.
    ///   - purchaseInfo: where in `bytes` the decoded `purchase-info` stands.
    ///   - bytes: what the ranges point into.
    ///   - purchaseDate: milliseconds since 1970.
    public func verify(
        _ blob: SignatureBlob, of purchaseInfo: ByteRange, in bytes: Span<UInt8>, purchasedAt purchaseDate: Int64?
    ) throws(OpenSSLError) -> Verification {
        let signer = try signer(blob, bytes)
        guard let certificate = signer.certificate else {
            return refused((.brokenChain, "the signer's certificate is unreadable"), nil)
        }
        let name = certificate.subject
        guard let key = certificate.publicKey, key.isRSA else {
            return refused((.unsupportedAlgorithm, "the signer's key is not RSA"), name)
        }
        guard try holds(blob, purchaseInfo, bytes, key) else {
            return refused((.badSignature, "the signature is not the signer's, or not of this purchase-info"), name)
        }
        guard !signer.outcome.validities.isEmpty else {
            return refused(signer.outcome.refusal ?? (.brokenChain, "no chain from the signer was tried"), name)
        }
        guard let purchaseDate else {
            return refused((.notValidAtCreation, "the receipt states no purchase date"), name)
        }
        guard signer.outcome.validities.contains(where: { $0.contains(purchaseDate) }) else {
            return refused((.notValidAtCreation, "a certificate was not valid at the purchase date"), name)
        }
        return Verification(
            verdict: .trusted, detail: nil, digestAlgorithm: DigestAlgorithm.sha1.rawValue, signer: name)
    }

    private func refused(_ refusal: (verdict: Verdict, detail: String), _ signer: String?) -> Verification {
        Verification(
            verdict: refusal.verdict, detail: refusal.detail, digestAlgorithm: DigestAlgorithm.sha1.rawValue,
            signer: signer)
    }

    /// RFC 8017, 8.2.2, over SHA-1(version ‖ purchase-info).
    private func holds(
        _ blob: SignatureBlob, _ purchaseInfo: ByteRange, _ bytes: Span<UInt8>, _ key: PublicKey
    ) throws(OpenSSLError) -> Bool {
        var room: (UInt64, UInt64, UInt64) = (0, 0, 0)
        return try withUnsafeMutableBytes(of: &room) { (signed) throws(OpenSSLError) in
            try digest.start(.sha1)
            try digest.update(bytes, in: blob.versionByte.indices)
            try digest.update(bytes, in: purchaseInfo.indices)
            try digest.finish(into: signed)
            let signature = bytes.extracting(blob.signature.indices)
            return try signature.withUnsafeBufferPointer { (octets) throws(OpenSSLError) in
                try key.verify(octets, of: UnsafeRawBufferPointer(signed), algorithm: .sha1)
            }
        }
    }

    /// The signer of a receipt, judged now unless it is remembered.
    private func signer(_ blob: SignatureBlob, _ bytes: Span<UInt8>) throws(OpenSSLError) -> KnownSigner {
        let der = bytes.extracting(blob.certificate.indices).withUnsafeBufferPointer { Array($0) }
        if let found = signers.last(where: { $0.version == blob.version && $0.der == der }) { return found }
        let certificate = try Certificate(bytes, in: blob.certificate, digest: digest)
        let search = IssuerSearch(
            anchors: anchors, candidates: candidates,
            purpose: blob.version == .two ? .iTunesStorePurchases : .appReceipts,
            hintForMissingIssuer: "; give its certificate with --intermediate FILE")
        let judged = KnownSigner(
            der: der, version: blob.version, certificate: certificate,
            outcome: certificate.map(search.outcome) ?? IssuerSearch.Outcome())
        if signers.count == Self.capacity { signers.removeFirst() }
        signers.append(judged)
        return judged
    }
}
