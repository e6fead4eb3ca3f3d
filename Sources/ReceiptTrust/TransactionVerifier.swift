public import ReceiptFormat

/// A verifier of transaction receipts of iOS 6 and earlier. It checks first the signature, then the chain, then the
/// chain's dates.
///
/// The signature covers the version byte, followed by the decoded `purchase-info`, with SHA-1 and RSASSA-PKCS1-v1_5.
/// The receipt contains only the signer's certificate; its issuers have to be known (``CertificatePool``). The
/// signature's version decides which purpose the signer must have: ``SigningPurpose``.
///
/// There is no creation date. Certificates have to be valid at the purchase date, which Apple wrote when it signed a
/// purchase. For a restored purchase, that is the date of the restore; the original date is stated separately.
///
/// Not for use by two threads at once: every worker has its own.
public final class TransactionVerifier {
    private let anchors: DecodedAnchors
    private let digest: MessageDigest
    private let candidates: [Certificate]
    private var signers: [KnownSigner] = []

    /// The parts of a receipt that decide its signer's chain. A ``KnownSigner`` is computed from this input alone, and
    /// the whole input is the cache's key.
    private struct SignerInput: Equatable {
        let der: [UInt8]
        let version: SignatureBlob.Version
    }

    /// A signer whose chain was validated.
    private struct KnownSigner {
        let input: SignerInput
        /// The signer's certificate; nil if the bytes are not a certificate.
        let certificate: Certificate?
        let outcome: IssuerSearch.IssuerPaths
    }

    /// The maximum number of cached signers. Apple had three.
    static let capacity = 64

    /// Creates a verifier that trusts only the given anchors, and searches chains through the given issuers.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails.
    public init(anchors: TrustAnchors, issuers: CertificatePool) throws(OpenSSLError) {
        digest = try MessageDigest()
        self.anchors = try DecodedAnchors(anchors, digest: digest)
        var known = issuers
        for der in anchors.certificates { try known.insertCertificates(of: der) }
        try known.insertCertificates(of: AppleRootCertificate.pem)
        var candidates: [Certificate] = []
        for issuer in known.inOrder {
            if let certificate = try Certificate(der: issuer.der, digest: digest) { candidates.append(certificate) }
        }
        self.candidates = candidates
    }

    /// Verifies a transaction receipt's signature and chain (RFC 8017, 8.2.2; RFC
    /// 5280, 6.1).
    ///
    /// - Parameters:
    ///   - blob: the receipt's signature, parsed from `bytes`.
    ///   - purchaseInfo: the range of the decoded `purchase-info` in `bytes`.
    ///   - bytes: the buffer of the ranges.
    ///   - purchaseDate: the purchase date, milliseconds since 1970 UTC; if nil, nothing is trusted.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the receipt.
    public func verify(
        _ blob: SignatureBlob, of purchaseInfo: ByteRange, in bytes: Span<UInt8>, purchasedAt purchaseDate: Int64?
    ) throws(OpenSSLError) -> Verification {
        let signer = try signer(blob, bytes)
        guard let certificate = signer.certificate else {
            return refused((.brokenChain, "the signer's certificate is unreadable"), nil)
        }
        let name = certificate.subject
        guard let key = certificate.publicKey, key.isRSA, key.isAffordable else {
            return refused((.unsupportedAlgorithm, "the signer's key is not RSA, or oversized"), name)
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

    /// Whether the signature is the key's (RFC 8017, 8.2.2) over SHA-1(version ‖
    /// purchase-info).
    private func holds(
        _ blob: SignatureBlob, _ purchaseInfo: ByteRange, _ bytes: Span<UInt8>, _ key: PublicKey
    ) throws(OpenSSLError) -> Bool {
        var output: (UInt64, UInt64, UInt64) = (0, 0, 0)
        return try withUnsafeMutableBytes(of: &output) { (signed) throws(OpenSSLError) in
            try digest.start(.sha1)
            try digest.update(bytes, in: blob.versionByte.indices)
            try digest.update(bytes, in: purchaseInfo.indices)
            try digest.finish(into: signed)
            let signature = bytes.extracting(blob.signature.indices)
            return try signature.withUnsafeBufferPointer { (signature) throws(OpenSSLError) in
                try key.verify(signature, of: UnsafeRawBufferPointer(signed), algorithm: .sha1)
            }
        }
    }

    /// The signer of a receipt, from the cache or else with its chain validated now.
    private func signer(_ blob: SignatureBlob, _ bytes: Span<UInt8>) throws(OpenSSLError) -> KnownSigner {
        let der = bytes.extracting(blob.certificate.indices).withUnsafeBufferPointer { Array($0) }
        let input = SignerInput(der: der, version: blob.version)
        if let found = signers.last(where: { $0.input == input }) { return found }
        let signer = try signer(input)
        if signers.count == Self.capacity { signers.removeFirst() }
        signers.append(signer)
        return signer
    }

    private func signer(_ input: SignerInput) throws(OpenSSLError) -> KnownSigner {
        let certificate = try Certificate(der: input.der, digest: digest)
        let search = IssuerSearch(
            anchors: anchors, candidates: candidates,
            purpose: input.version == .two ? .iTunesStorePurchases : .appReceipts,
            hintForMissingIssuer: "; give its certificate with --intermediate FILE")
        return KnownSigner(
            input: input, certificate: certificate,
            outcome: certificate.map(search.outcome) ?? IssuerSearch.IssuerPaths())
    }
}
