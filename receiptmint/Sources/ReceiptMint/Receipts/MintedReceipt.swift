/// A signed receipt, and what the mint knows of it.
struct MintedReceipt: Sendable {
    let encoded: [UInt8]
    let sha256: String
    /// What the signed document carries; of a forged one, the forger's claims.
    let claims: ReceiptClaims
    let verdict: PlantedVerdict
    let digest: Digest
    let signer: DistinguishedName
    /// False where the payload is broken on purpose.
    let isReadable: Bool

    /// - Parameters:
    ///   - carried: what a forger put in place of what was signed.
    ///   - flaw: the one thing that is wrong with the receipt, if any.
    ///   - digest: in place of the one that the store used at the time.
    init(
        _ claims: ReceiptClaims, carrying carried: ReceiptClaims?, flaw: Defect?, authority: Authority,
        digest forced: Digest?, random: SeededRandom
    ) throws {
        var writer = PayloadWriter(random: random)
        let isFirstEra = claims.createdAt < Authority.changeover
        var signer: Authority.Signer = isFirstEra ? .first : .second
        var digest = forced ?? (isFirstEra ? .sha1 : .sha256)
        var verdict = PlantedVerdict.trusted
        switch flaw {
        case .forgedSignature: verdict = .badSignature
        case .foreignChain: (signer, verdict) = (.foreign, .untrustedRoot)
        case .missingMarkers:
            signer = writer.random.chance(0.5) ? .unmarked : .underUnmarkedIntermediate
            verdict = .wrongPurpose
        case .expiredSigner: (signer, verdict) = (.first, .notValidAtCreation)
        case .brokenChain: (signer, verdict) = (.impostor, .brokenChain)
        case .weakKey: (signer, verdict) = (.weak, .unsupportedAlgorithm)
        case .weakDigest: (digest, verdict) = (.md5, .unsupportedAlgorithm)
        default: break
        }
        let chain = try authority.chain(signer)
        isReadable = flaw != .malformedPayload
        let content = isReadable ? writer.payload(claims) : writer.overrunningPayload(claims)
        encoded = try SignedData.container(
            signing: content, carrying: carried.map { writer.payload($0) }, by: chain, digest: digest)
        sha256 = try Digest.sha256.hash(encoded).hexadecimal
        self.claims = carried ?? claims
        self.verdict = verdict
        self.digest = digest
        self.signer = chain.certificate.subject
    }
}
