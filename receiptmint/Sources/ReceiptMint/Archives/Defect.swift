/// What can be wrong with a line, planted by share. The raw values name the
/// kinds in `truth.json`.
public enum Defect: String, PlantedKind {
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
    /// A refreshed receipt of an installation, presented by its own device and, in
    /// its older form, by two others: no two devices present equal bytes.
    case sharedLineage = "shared_lineage"
    /// One purchase, restored by three devices under three accounts.
    case sharedTransaction = "shared_transaction"
    /// A receipt with an unfinished consumable, presented under three accounts
    /// that all name its own device.
    case replayedConsumable = "replayed_consumable"
    /// A receipt from before a refund, presented months after it.
    case refundedYetUsed = "refunded_yet_used"
    /// A receipt of an older version than the device had before.
    case versionBackwards = "version_backwards"
    /// One account submits twenty times within minutes.
    case burst
    /// A genuine receipt of another developer's app.
    case unexpectedBundle = "unexpected_bundle"
    /// A volume license that had run out when its receipt was presented.
    case volumeLicenseExpired = "volume_license_expired"
    /// A purchase dated days after the receipt that states it.
    case purchaseAfterCreation = "purchase_after_creation"
    /// A subscription that ends before it begins.
    case expiryBeforePurchase = "expiry_before_purchase"
    /// The version first got is newer than the one at hand.
    case originalVersionNewer = "original_version_newer"
    /// Submitted days before the receipt was created.
    case creationAfterSubmission = "creation_after_submission"

    /// Share of the lines unless set.
    public var defaultShare: Double? {
        switch self {
        case .noDeviceID: 0.02
        case .hashMismatch, .sandbox: 0.01
        case .sharedReceipt: 0.008
        case .forgedSignature, .foreignChain, .missingMarkers, .serverIssued: 0.005
        case .expiredSigner, .truncatedBase64, .brokenJSON, .invalidDeviceID, .sharedLineage, .sharedTransaction,
            .replayedConsumable:
            0.003
        case .noReceipt: 0.002
        default: 0.001
        }
    }

    /// How a defect comes into an archive.
    enum Planting {
        /// A customer of its own, with a single receipt, shows it.
        case receipt
        /// Several submissions that belong together show it; so many on average.
        case scenario(lines: Int, play: (inout ScenarioGenerator<Submission>) throws -> [Submission])
        /// It is added to a line of an ordinary customer.
        case line
    }

    var planting: Planting {
        switch self {
        case .burst: .scenario(lines: 20) { try $0.burst() }
        case .sharedReceipt: .scenario(lines: 4) { try $0.sharedReceipt() }
        case .sharedLineage: .scenario(lines: 3) { try $0.sharedLineage() }
        case .sharedTransaction: .scenario(lines: 3) { try $0.sharedTransaction() }
        case .replayedConsumable: .scenario(lines: 3) { try $0.replayedConsumable() }
        // The other lines of the scenario are ordinary.
        case .refundedYetUsed: .scenario(lines: 1) { try $0.refundedYetUsed() }
        case .versionBackwards: .scenario(lines: 1) { try $0.versionBackwards() }
        case .hashMismatch, .truncatedBase64, .truncatedContainer, .brokenJSON, .noReceipt, .noDeviceID,
            .invalidDeviceID, .creationAfterSubmission:
            .line
        default: .receipt
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
