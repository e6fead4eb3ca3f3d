/// The rules that signed data has to obey, in the order in which they are checked. The first broken rule decides the
/// verdict. The raw values are those of docs/trust.md.
public enum SignedDataRule: Int, Sendable, Hashable, CaseIterable {
    /// The header names ES256 and requires no extensions.
    case algorithm = 1
    /// The header contains 1 to 8 readable certificates.
    case certificates
    /// The first certificate's key is P-256.
    case signerKey
    /// The signature is by the first certificate's key, over header and payload as written.
    case signature
    /// A single certificate must itself be an anchor.
    case pinnedSigner
    /// Each certificate names the next as its issuer, and is signed by it.
    case order
    /// The last certificate is an anchor, itself or by its name and key.
    case anchor
    /// Every certificate obeys its constraints, and has Apple's marker if one is required.
    case purpose
    /// The keys and signatures of the chain are strong enough.
    case strength
    /// The signing date is stated, and every certificate was valid at that date.
    case dates
}
