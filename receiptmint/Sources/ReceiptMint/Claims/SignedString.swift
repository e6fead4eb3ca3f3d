/// A string that the store signed (RFC 7515 7.1), and what the mint knows of it.
struct SignedString: Sendable, JSONValue {
    /// `header.payload.signature`.
    let text: [UInt8]
    let sha256: String
    /// What it carries; of an altered one, the forger's claims.
    let claims: any SignedClaims
    let verdict: PlantedVerdict
    let signer: DistinguishedName
    /// Why it can't be read, where it can't. The names are the contract's.
    let rejection: String?
    /// What it holds, by the contract's names of parts.
    var parts: [(name: String, document: SignedString)] {
        (claims as? NotificationClaims)?.parts ?? []
    }

    var kind: String { type(of: claims).kind }
    var isTrusted: Bool { verdict == .trusted }
    var json: [UInt8] { JSONText.string(text) }

    /// - Parameters:
    ///   - carried: what a forger put in place of what was signed.
    ///   - flaw: the one thing that is wrong with the string, if any.
    init(
        _ claims: any SignedClaims, carrying carried: (any SignedClaims)? = nil, flaw: SignedDefect? = nil,
        authority: Authority, random: inout SeededRandom
    ) throws {
        var signer: Authority.Signer = claims.signedAt < StoreAuthority.changeover ? .first : .second
        var algorithm = CompactJWS.Algorithm.es256
        var verdict = PlantedVerdict.trusted
        switch flaw {
        case .alteredPayload: verdict = .badSignature
        case .foreignRoot: (signer, verdict) = (.foreign, .untrustedRoot)
        case .unmarkedChain:
            signer = random.chance(0.5) ? .unmarked : .underUnmarkedIntermediate
            verdict = .wrongPurpose
        case .signerOutOfDate: (signer, verdict) = (.first, .notValidAtCreation)
        case .impostor: (signer, verdict) = (.impostor, .brokenChain)
        case .unsignedAlgorithm: (algorithm, verdict) = (.unsigned, .unsupportedAlgorithm)
        case .sharedSecret: (algorithm, verdict) = (.hs256, .unsupportedAlgorithm)
        default: break
        }
        let chain = try authority.chain(signer)
        let payload = flaw?.broken(claims.payload.json, random: &random) ?? claims.payload.json
        var text = try CompactJWS.text(
            signing: payload, carrying: carried?.payload.json, by: chain, algorithm: algorithm)
        if flaw == .fourSegments { text += Array(".".utf8) + Base64.url(random.bytes(32)) }
        self.text = text
        sha256 = try Digest.sha256.hash(text).hexadecimal
        self.claims = carried ?? claims
        self.verdict = verdict
        self.signer = chain.certificate.subject
        rejection = flaw?.rejection
    }
}
