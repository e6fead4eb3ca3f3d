public import ReceiptFormat

/// A verifier of signed data of StoreKit 2 (JWS, RFC 7515), which checks the header
/// first, then the signature, then the chain, then its dates.
///
/// ES256 alone is read: the header names the algorithm and never chooses it. Trust
/// depends on the anchors, never on a field of the payload, with one exception:
/// certificates have to be valid at the signing date. Not for use by two threads at
/// once: every worker has its own.
public final class SignedDataVerifier {
    private let anchors: TrustAnchors
    private let digest: MessageDigest

    /// Bytes of a signature: r and s (RFC 7518, 3.4).
    public static let signatureSize = 64

    /// A verifier that trusts these anchors.
    ///
    /// - Throws: ``OpenSSLError`` where OpenSSL can't provide the digests.
    public init(anchors: TrustAnchors) throws(OpenSSLError) {
        self.anchors = anchors
        digest = try MessageDigest()
    }

    /// The signer that a header states, to be kept for all data under the same header.
    ///
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails, whatever the header.
    public func signer(of header: SignedHeader) throws(OpenSSLError) -> SignedDataSigner {
        try SignedDataSigner(header, digest: digest)
    }

    /// Verifies a signature and its signer's chain.
    ///
    /// - Parameters:
    ///   - signature: r and s in `bytes`; nil where the third part of the string is no
    ///     canonical base64url.
    ///   - bytes: the buffer of the signature.
    ///   - digest: the SHA-256 of header, full stop and payload as they stand.
    ///   - signer: what ``signer(of:)`` made of the header.
    ///   - signingDate: what the payload states, milliseconds since 1970 UTC; nil where
    ///     that is absent or no date, and then nothing is trusted.
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails, whatever the data.
    public func verify(
        _ signature: ByteRange?, in bytes: Span<UInt8>, of digest: SHA256Digest, by signer: SignedDataSigner,
        signedAt signingDate: Int64?
    ) throws(OpenSSLError) -> Verification {
        func refused(_ rule: SignedDataRule, _ verdict: Verdict, _ detail: String) -> Verification {
            verification(SignedDataSigner.Refusal(rule, verdict, detail), signer)
        }
        let key: PublicKey
        switch signer.standing {
        case .refused(let refusal): return verification(refusal, signer)
        case .readable(let readable): key = readable
        }
        guard let signature else {
            return refused(.signature, .badSignature, "the signature is no base64url without padding")
        }
        guard signature.count == Self.signatureSize else {
            return refused(
                .signature, .badSignature,
                "a signature of \(signature.count) bytes, where ES256 has \(Self.signatureSize)")
        }
        let holds = try bytes.extracting(signature.indices).withUnsafeBufferPointer {
            (signature) throws(OpenSSLError) in
            try key.verifyECDSA(signature, of: digest)
        }
        guard holds else {
            return refused(
                .signature, .badSignature, "the signature is not the signer's, or not of this content")
        }
        switch signer.chain(anchors: anchors) {
        case .refused(let refusal): return verification(refusal, signer)
        case .anchored(let validity):
            guard let signingDate else {
                return refused(.dates, .notValidAtCreation, "the payload states no signing date")
            }
            guard validity.contains(signingDate) else {
                return refused(.dates, .notValidAtCreation, "a certificate was not valid at the signing date")
            }
            return verification(nil, signer)
        }
    }

    private func verification(_ refusal: SignedDataSigner.Refusal?, _ signer: SignedDataSigner) -> Verification {
        var found = Verification(
            verdict: refusal?.verdict ?? .trusted, detail: refusal?.detail,
            digestAlgorithm: DigestAlgorithm.sha256.rawValue, signer: signer.name)
        found.brokenRule = refusal?.rule
        return found
    }
}
