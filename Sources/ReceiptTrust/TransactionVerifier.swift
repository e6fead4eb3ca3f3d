public import ReceiptFormat

/// A verifier of transaction receipts of iOS 6 and before, which checks the signature
/// first, then the chain, then its dates.
///
/// The signature covers the version byte, followed by the decoded `purchase-info`,
/// with SHA-1 and RSASSA-PKCS1-v1_5. The receipt carries the signer's certificate
/// alone; its issuers have to be known (``CertificatePool``). The purpose that the
/// signer must have depends on the signature's version: ``SigningPurpose``.
///
/// There is no creation date. Certificates have to be valid at the purchase date,
/// which the store wrote when it signed a purchase; of a restored purchase, that is
/// the date of the restore, and the original date stands beside it.
///
/// Not for use by two threads at once: every worker has its own.
public final class TransactionVerifier {
    private let anchors: DecodedAnchors
    private let digest: MessageDigest
    private let candidates: [Certificate]
    private var signers: [KnownSigner] = []

    /// The parts of a receipt that decide its signer's chain. A ``KnownSigner`` is made of this
    /// input alone, and looked up by the whole input.
    private struct SignerInput: Equatable {
        let der: [UInt8]
        let version: SignatureBlob.Version
    }

    /// A signer whose chain was validated.
    private struct KnownSigner {
        let input: SignerInput
        /// The signer's certificate; nil if the bytes hold no certificate.
        let certificate: Certificate?
        let outcome: IssuerSearch.IssuerPaths
    }

    /// The maximum number of cached signers. The store had three.
    static let capacity = 64

    /// Makes a verifier that trusts the given anchors alone, and searches chains through the given
    /// issuers.
    ///
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails.
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
    ///   - purchaseDate: the purchase date, milliseconds since 1970 UTC; nil if it
    ///     is absent, and then nothing is trusted.
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails, whatever the receipt.
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

    /// The signer of a receipt, whose chain is validated now unless it is cached.
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
