/// The rules that signed data has to keep, in the order in which they are checked. The
/// first that is broken gives the verdict. The raw values are those of docs/trust.md.
public enum SignedDataRule: Int, Sendable, Hashable, CaseIterable {
    /// The header names ES256 and demands no extensions.
    case algorithm = 1
    /// The header holds 1 to 8 certificates that can be read.
    case certificates
    /// The first certificate's key is P-256.
    case signerKey
    /// The signature is by the first certificate's key, over header and payload as they stand.
    case signature
    /// A certificate that stands alone is an anchor.
    case pinnedSigner
    /// Each certificate names the next as its issuer, and is signed by it.
    case order
    /// The last certificate is an anchor, itself or by its name and key.
    case anchor
    /// Every certificate keeps its constraints, and bears Apple's marker where one is required.
    case purpose
    /// The keys and signatures of the chain are strong enough.
    case strength
    /// The signing date is stated, and every certificate was valid then.
    case dates
}
