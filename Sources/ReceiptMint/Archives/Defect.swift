/// What can be wrong with a line, planted by share. The raw values name the
/// kinds in `truth.json`.
public enum Defect: String, CaseIterable, Sendable {
    /// The device's identifier isn't the one that the receipt was made for.
    case hashMismatch = "hash_mismatch"
    /// One genuine receipt, presented by three to five devices; the first is its own.
    case sharedReceipt = "shared_receipt"
    /// A purchase was added after signing.
    case forgedSignature = "forged_signature"
    /// Same shape and markers, another root.
    case foreignChain = "foreign_chain"
    /// The signer, or the intermediate, lacks Apple's marker.
    case missingMarkers = "missing_markers"
    /// Certificates had run out some hours or days before the receipt was created.
    case expiredSigner = "expired_signer"
    /// The intermediate that the signer names never signed it.
    case brokenChain = "broken_chain"
    /// RSA of 1024 bits.
    case weakKey = "weak_key"
    /// MD5.
    case weakDigest = "weak_digest"
    /// A receipt of the store's test environment: trusted, yet no money was paid.
    case sandbox
    /// The store made the receipt for a server, with the hash of sixteen zero bytes.
    case serverIssued = "server_issued"
    /// Base64 text cut where no group of four can end.
    case truncatedBase64 = "truncated_base64"
    /// Base64 text cut between groups: half a container.
    case truncatedContainer = "truncated_container"
    /// Genuinely signed, but an attribute runs past the payload's end.
    case malformedPayload = "malformed_payload"
    /// A line that is no JSON: cut, or with a bracket, colon or quote amiss.
    case brokenJSON = "broken_json"
    /// An object that holds no receipt.
    case noReceipt = "no_receipt"
    /// The submission names no device.
    case noDeviceID = "no_device_id"
    /// The device's name is no identifier in any notation.
    case invalidDeviceID = "invalid_device_id"

    /// Share of the lines unless set.
    public var defaultShare: Double {
        switch self {
        case .hashMismatch, .sandbox: 0.01
        case .noDeviceID: 0.02
        case .sharedReceipt: 0.008
        case .forgedSignature, .foreignChain, .missingMarkers, .serverIssued: 0.005
        case .expiredSigner, .truncatedBase64, .brokenJSON, .invalidDeviceID: 0.003
        case .noReceipt: 0.002
        case .brokenChain, .weakKey, .weakDigest, .truncatedContainer, .malformedPayload: 0.001
        }
    }

    /// Whether a customer of its own, with a single receipt, shows the defect;
    /// else it is added to a line of an ordinary customer.
    var needsOwnReceipt: Bool {
        switch self {
        case .forgedSignature, .foreignChain, .missingMarkers, .expiredSigner, .brokenChain, .weakKey, .weakDigest,
            .sandbox, .serverIssued, .malformedPayload:
            true
        case .hashMismatch, .sharedReceipt, .truncatedBase64, .truncatedContainer, .brokenJSON, .noReceipt,
            .noDeviceID, .invalidDeviceID:
            false
        }
    }

    /// Why the line can't be loaded, where it can't. The names are the contract's.
    var rejection: String? {
        switch self {
        case .truncatedBase64: "invalid_base64"
        case .truncatedContainer: "malformed_container"
        case .malformedPayload: "malformed_payload"
        case .brokenJSON: "invalid_json"
        case .noReceipt: "no_receipt"
        default: nil
        }
    }
}
