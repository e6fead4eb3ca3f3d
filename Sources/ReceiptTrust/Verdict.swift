/// What verifying a receipt's signature and chain said. The raw values are
/// those of the database and of every machine-readable output.
public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// The signature holds, and the chain leads to an anchor through
    /// certificates made for the purpose and valid when the receipt was created.
    case trusted
    /// The signature and the chain hold, but the chain ends at no anchor.
    case untrustedRoot = "untrusted_root"
    /// A certificate is missing, unreadable, or not signed by the next.
    case brokenChain = "broken_chain"
    /// The chain leads to an anchor, but a certificate was not made to sign
    /// receipts, or to sign certificates.
    case wrongPurpose = "wrong_purpose"
    /// The chain leads to an anchor, but not at the time of the receipt.
    case notValidAtCreation = "not_valid_at_creation"
    /// The content is not what was signed, or was not signed by this key.
    case badSignature = "bad_signature"
    /// An algorithm that the store never used, or a key too short to believe.
    case unsupportedAlgorithm = "unsupported_algorithm"
}

/// The digest that a receipt was signed with.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    case sha1
    case sha256

    /// Octets of a digest.
    public var count: Int { self == .sha1 ? 20 : 32 }
}

/// A verdict with what led to it.
public struct Verification: Sendable, Hashable {
    public let verdict: Verdict
    /// Why the receipt is not trusted; nil where it is.
    public let detail: String?
    /// Name of the digest that the container states, such as `sha256`; an object
    /// identifier in dotted form where it has no name.
    public let digestAlgorithm: String
    /// Subject of the signing certificate (RFC 2253); nil where it is missing.
    public let signer: String?
    /// Authorities that an app receipt carries and that lead to an anchor: what
    /// transaction receipts, which don't carry theirs, may need. In the order of
    /// their fingerprints.
    public internal(set) var issuers: [IssuerCertificate] = []

    /// A verification that another has made.
    public init(verdict: Verdict, detail: String?, digestAlgorithm: String, signer: String?) {
        self.verdict = verdict
        self.detail = detail
        self.digestAlgorithm = digestAlgorithm
        self.signer = signer
    }
}
