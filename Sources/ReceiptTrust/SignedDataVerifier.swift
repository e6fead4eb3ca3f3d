public import ReceiptFormat

/// A verifier of StoreKit 2's signed data (JWS, RFC 7515). It checks first the header, then the signature, the chain,
/// and the chain's dates.
///
/// Only ES256 is accepted: the header names the algorithm but can't choose it. Trust depends on the anchors, never on a
/// field of the payload, with one exception: certificates have to be valid at the signing date. Not for use by two
/// threads at once: every worker has its own.
public final class SignedDataVerifier {
    private let anchors: DecodedAnchors
    private let digest: MessageDigest
    /// The arithmetic shared by all tables; nil if no tables are to be made, or if OpenSSL lacks the calls.
    private let arithmetic: KeyTableArithmetic?
    private var tableCount = 0
    /// Makes the tables for a key's point.
    private let makeTables: ([UInt8], KeyTableArithmetic) -> CurvePointTables?
    /// Random bits; each signature that tables accept uses eight.
    private var randomBits: UInt64 = 0
    private var randomBytes = 0

    /// The maximum number of keys with tables, which take some 150 kB for each key. Apple had three keys in five years.
    private static let maximumTables = 16

    /// The third part of a signed string.
    public enum Signature: Sendable, Hashable {
        /// The part is not a signature. The number of its bytes, if it is base64url as required in JWS but has another
        /// length than a signature; otherwise nil.
        case malformed(byteCount: Int?)
        /// The part has the form of a signature; `holds` is whether it is the signer's.
        case wellFormed(holds: Bool)
    }

    /// Creates a verifier that trusts only the given anchors.
    ///
    /// - Parameter usesTables: whether tables of multiples are made for keys that sign many documents. OpenSSL verifies
    ///   again each signature that tables refuse, and one in 256 of those that tables accept.
    /// - Throws: ``OpenSSLError`` if OpenSSL can't provide the digests.
    public convenience init(anchors: TrustAnchors, usesTables: Bool = true) throws(OpenSSLError) {
        try self.init(anchors: anchors, usesTables: usesTables) { CurvePointTables(of: $0, $1) }
    }

    init(
        anchors: TrustAnchors, usesTables: Bool,
        makeTables: @escaping ([UInt8], KeyTableArithmetic) -> CurvePointTables?
    ) throws(OpenSSLError) {
        self.makeTables = makeTables
        digest = try MessageDigest()
        self.anchors = try DecodedAnchors(anchors, digest: digest)
        arithmetic = usesTables ? KeyTableArithmetic() : nil
    }

    /// The signer that a header states, to be reused for all data with the same header.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the header.
    public func signer(of header: SignedHeader) throws(OpenSSLError) -> SignedDataSigner {
        try SignedDataSigner(header, digest: digest)
    }

    /// Verifies signatures under one header; verifying many together is faster.
    ///
    /// - Parameter document: returns the SHA-256 of the document with the signature at an index.
    /// - Returns: for each signature, whether it is the signer's; false for all if the header has no usable key.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the data, and if tables accept a signature that
    ///   OpenSSL refuses.
    public func verify(
        _ signatures: [ES256Signature], by signer: SignedDataSigner, document: (Int) -> SHA256Digest
    ) throws(OpenSSLError) -> [Bool] {
        guard case .readable(let key) = signer.key else { return signatures.map { _ in false } }
        var holds =
            tables(of: signer, for: signatures.count)?.verify(signatures) ?? signatures.map { _ in false }
        for index in holds.indices {
            let isAccepted = holds[index]
            guard !isAccepted || isVerifiedAgain() else { continue }
            holds[index] = try key.verify(signatures[index])
            if isAccepted, !holds[index] { throw OpenSSLError(acceptedByTablesAlone: document(index)) }
        }
        return holds
    }

    /// Decides at random, with a probability of 1 in 256, whether OpenSSL verifies again a signature that tables
    /// accept, so that wrong tables are found before they have accepted many signatures.
    private func isVerifiedAgain() -> Bool {
        // One system call gives bits for eight accepted signatures.
        if randomBytes == 0 { (randomBits, randomBytes) = (.random(in: .min ... .max), 8) }
        defer { (randomBits, randomBytes) = (randomBits >> 8, randomBytes - 1) }
        return randomBits & 0xff == 0
    }

    private func tables(of signer: SignedDataSigner, for count: Int) -> CurvePointTables? {
        guard let arithmetic else { return nil }
        return signer.tables(for: count, anchors: anchors) { point in
            guard tableCount < Self.maximumTables else { return nil }
            tableCount += 1
            return makeTables(point, arithmetic)
        }
    }

    /// The verdict on signed data whose signature was verified.
    ///
    /// - Parameters:
    ///   - signer: the signer that ``signer(of:)`` made of the header.
    ///   - signingDate: the payload's signing date, milliseconds since 1970 UTC. If it is nil, absent or not a date,
    ///     nothing is trusted.
    public func verification(
        of signature: Signature, by signer: SignedDataSigner, signedAt signingDate: Int64?
    ) -> Verification {
        func refused(_ rule: SignedDataRule, _ verdict: Verdict, _ detail: String) -> Verification {
            verification(SignedDataSigner.Refusal(rule, verdict, detail), signer)
        }
        if case .refused(let refusal) = signer.key { return verification(refusal, signer) }
        switch signature {
        case .malformed(let count?):
            return refused(
                .signature, .badSignature, "a signature of \(count) bytes, where ES256 has \(ES256Signature.size)")
        case .malformed(nil):
            return refused(.signature, .badSignature, "the signature is no base64url without padding")
        case .wellFormed(holds: false):
            return refused(
                .signature, .badSignature, "the signature is not the signer's, or not of this content")
        case .wellFormed(holds: true): break
        }
        switch signer.chain(anchors: anchors) {
        case .refused(let refusal): return verification(refusal, signer)
        case .anchored(let validities):
            guard let signingDate else {
                return refused(.dates, .notValidAtCreation, "the payload states no signing date")
            }
            guard validities.contains(where: { $0.contains(signingDate) }) else {
                return refused(.dates, .notValidAtCreation, "a certificate was not valid at the signing date")
            }
            return verification(nil, signer)
        }
    }

    /// Verifies a single signature, and its signer's chain.
    ///
    /// - Parameters:
    ///   - signature: the range in `bytes` of the numbers r and s; nil if the third part of the string is not canonical
    ///     base64url.
    ///   - bytes: the buffer of the signature.
    ///   - digest: the SHA-256 of header, full stop and payload as written.
    ///   - signer: the signer that ``signer(of:)`` made of the header.
    ///   - signingDate: the payload's signing date, as for ``verification(of:by:signedAt:)``.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the data.
    public func verify(
        _ signature: ByteRange?, in bytes: Span<UInt8>, of digest: SHA256Digest, by signer: SignedDataSigner,
        signedAt signingDate: Int64?
    ) throws(OpenSSLError) -> Verification {
        guard let es256 = signature.flatMap({ ES256Signature($0, in: bytes, of: digest) }) else {
            return verification(of: .malformed(byteCount: signature?.count), by: signer, signedAt: signingDate)
        }
        let holds = try verify([es256], by: signer) { _ in digest }[0]
        return verification(of: .wellFormed(holds: holds), by: signer, signedAt: signingDate)
    }

    private func verification(_ refusal: SignedDataSigner.Refusal?, _ signer: SignedDataSigner) -> Verification {
        var found = Verification(
            verdict: refusal?.verdict ?? .trusted, detail: refusal?.detail,
            digestAlgorithm: DigestAlgorithm.sha256.rawValue, signer: signer.name)
        found.brokenRule = refusal?.rule
        return found
    }
}
