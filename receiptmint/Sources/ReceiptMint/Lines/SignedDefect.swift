/// What can be wrong with a line of signed strings, planted by share of these
/// lines. The raw values name the kinds in `truth.json`.
public enum SignedDefect: String, PlantedKind {
    /// The payload was changed after signing.
    case alteredPayload = "altered_payload"
    /// Same shape and markers, another root.
    case foreignRoot = "foreign_root"
    /// The signer, or the intermediate, lacks its marker.
    case unmarkedChain = "unmarked_chain"
    /// The signer's certificate had run out when the string was signed.
    case signerOutOfDate = "signer_out_of_date"
    /// The intermediate that the signer names never signed it.
    case impostor
    /// `alg` is `none`, and there is no signature.
    case unsignedAlgorithm = "unsigned_algorithm"
    /// `alg` is HS256, with the certificate for a secret.
    case sharedSecret = "shared_secret"
    /// Genuinely signed, but no JSON, or with a key twice.
    case brokenPayload = "broken_payload"
    /// Genuinely signed, but of no kind that the store hands out.
    case unknownKind = "unknown_kind"
    /// A fourth part behind the signature.
    case fourSegments = "four_segments"
    /// One string of a page of transactions can't be read; the others are genuine.
    case brokenAmongOthers = "broken_among_others"
    /// A notification that is genuine, and holds a transaction that is not.
    case forgedPart = "forged_part"
    /// A notification that was changed after signing, and holds a genuine transaction.
    case forgedNotification = "forged_notification"
    /// Fetched by another device than the one that hands it in.
    case otherDevice = "other_device"
    /// The device's verification identifier is no UUID.
    case invalidVerificationID = "invalid_verification_id"
    /// A purchase of the store's test environment: trusted, yet no money was paid.
    case sandboxPurchase = "sandbox_purchase"
    /// One customer's signed transaction, presented under six accounts; the first is its own.
    case replayedTransaction = "replayed_transaction"
    /// One `appAccountToken` in purchases presented under three accounts.
    case sharedAccountToken = "shared_account_token"
    /// A transaction signed before its refund, presented months after it.
    case refundedYetPresented = "refunded_yet_presented"

    /// Share of the lines with signed strings unless set.
    public var defaultShare: Double? {
        switch self {
        case .sandboxPurchase, .replayedTransaction: 0.01
        case .alteredPayload, .foreignRoot, .unmarkedChain, .otherDevice: 0.005
        case .signerOutOfDate, .sharedAccountToken, .forgedPart, .forgedNotification: 0.003
        default: 0.001
        }
    }

    /// Lines that belong together and show it, on average.
    var linesEach: Int {
        switch self {
        case .replayedTransaction: 6
        case .sharedAccountToken: 3
        default: 1
        }
    }

    /// Why the line can't be loaded, where it can't. The names are the contract's.
    var rejection: String? {
        switch self {
        case .brokenPayload: "malformed_payload"
        case .unknownKind: "unsupported_kind"
        case .fourSegments: "malformed_container"
        default: nil
        }
    }

    /// What is signed in place of a payload, where the payload is at fault.
    func broken(_ payload: [UInt8], random: inout SeededRandom) -> [UInt8]? {
        switch self {
        case .brokenPayload:
            switch random.below(3) {
            case 0: Array(payload.prefix(payload.count / 2))
            case 1: Array(payload.dropLast()) + Array(",\"quantity\":2,\"quantity\":1}".utf8)
            default: payload + Array("}".utf8)
            }
        case .unknownKind:
            Array("{\"iss\":\"\(random.uuid())\",\"iat\":1719792000,\"aud\":\"appstoreconnect-v1\"}".utf8)
        default: nil
        }
    }
}
