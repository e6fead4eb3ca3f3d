internal import ReceiptFormat

/// The result of verifying a document's signature and chain. The raw values are those of the database and of all
/// machine-readable output.
public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// The signature holds, and the chain leads to an anchor through certificates made for the
    /// purpose and valid when the document was created.
    case trusted
    /// The signature and the chain are valid, but the chain ends at no anchor.
    case untrustedRoot = "untrusted_root"
    /// A certificate is missing, unreadable, or not signed by the next.
    case brokenChain = "broken_chain"
    /// The chain leads to an anchor, but the purpose of a certificate is not to sign documents, or certificates.
    case wrongPurpose = "wrong_purpose"
    /// The chain leads to an anchor, but was not valid when the document was created.
    case notValidAtCreation = "not_valid_at_creation"
    /// The signature was not made with this key, or was made over other content.
    case badSignature = "bad_signature"
    /// Apple does not use an algorithm, or a key is too short.
    case unsupportedAlgorithm = "unsupported_algorithm"
}

/// A verdict with its reason, the digest's algorithm and the signer.
public struct Verification: Sendable {
    /// The verdict.
    public let verdict: Verdict
    /// The reason for not trusting the document, in words; nil if it is trusted.
    public let detail: String?
    /// The name of the digest that the document states, such as `sha256`; if it has no name, its object identifier in
    /// dotted form.
    public let digestAlgorithm: String
    /// The subject of the signing certificate (RFC 2253); nil if it is missing.
    public let signer: String?
    /// The rule that signed data breaks; nil if the data is trusted, and for receipts.
    public internal(set) var brokenRule: SignedDataRule?
    /// The authorities in an app receipt that lead to an anchor, in the order of their fingerprints. The chains of
    /// transaction receipts, which contain no issuers, may need them.
    public internal(set) var issuers: [IssuerCertificate] = []

    /// A result without a broken rule and without issuers.
    public init(verdict: Verdict, detail: String?, digestAlgorithm: String, signer: String?) {
        self.verdict = verdict
        self.detail = detail
        self.digestAlgorithm = digestAlgorithm
        self.signer = signer
    }
}

extension Verification: Hashable {
    /// The texts as values that are compared by bytes: a certificate's name, which reason and signer quote, may equal
    /// another one in Unicode but differ in bytes.
    private var texts: [DocumentText?] { [detail, digestAlgorithm, signer].map { $0.map { DocumentText($0) } } }

    /// Whether two verifications have the same result, with texts compared by their bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.verdict == right.verdict && left.brokenRule == right.brokenRule && left.texts == right.texts
            && left.issuers == right.issuers
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(verdict)
        hasher.combine(brokenRule)
        hasher.combine(texts)
        hasher.combine(issuers)
    }
}
