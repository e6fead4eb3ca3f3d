internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// The result for one receipt, step by step as Apple's guide validates it: signature
/// and chain, app and device, purchases.
struct VerificationReport {
    let receipt: ByteRange
    let digest: SHA256Digest
    let kind: ReceiptKind
    /// Why nothing more is known; nil where the receipt is readable.
    var unreadable: Unreadable?
    /// Its ranges, and those of the purchases, point into the buffer of the
    /// receipt.
    var app: AppReceipt?
    var purchases: [InAppPurchase] = []
    /// What a signed string states; its texts are in the buffer of the receipt. Nil for receipts.
    var signed: SignedPayload?
    /// What a notification holds.
    var held: [HeldDocument] = []
    /// The signed property list of a transaction receipt; nil for app receipts.
    var purchaseInfo: ByteRange?
    /// Why the purchases can't be read, though the rest can.
    var purchaseFault: Unreadable?
    var verification: Verification?
    var appCheck: AppCheck?
    var environmentCheck: EnvironmentCheck = .notAsked
    /// The environment that a transaction receipt states outside its signature.
    var statedEnvironment: ByteRange?
    /// The signed part contradicts it.
    var isEnvironmentContradicted = false
    var deviceCheck: DeviceCheck?
    /// The device check was asked for, by the user or by the line.
    var isDeviceAsked = false
    /// The device named is the sixteen zero bytes of a server.
    var isServerClaimed = false
    /// The time at which expiration dates are compared.
    var time: Int64 = 0

    enum EnvironmentCheck: String, Sendable {
        case match, mismatch
        /// The document states no environment, or none that is known.
        case unknown
        case notAsked = "not_asked"

        /// Whether the document may be of the environment that is asked for.
        var isPassed: Bool { self == .match || self == .notAsked }
    }

    // MARK: The three steps

    /// When certificates have to be valid: the creation date, for which the
    /// purchase date stands in a transaction receipt.
    var certificatesCheckedAt: Int64? {
        kind == .transactionReceipt ? purchases.first?.purchaseDate : app?.receiptCreationDate
    }

    /// Nil for a receipt that loading would reject; step 1 says how far it came.
    var verdict: Verdict? { rejection == nil ? verification?.verdict : nil }

    /// Why loading would reject the receipt.
    var rejection: Unreadable? { unreadable ?? purchaseFault }

    var isSignatureAccepted: Bool { verification?.verdict == .trusted }

    var isAppAccepted: Bool {
        guard let appCheck else { return false }
        let isAppExpected = appCheck == .expected || appCheck == .notConfigured
        return isAppExpected && isDeviceAccepted && environmentCheck.isPassed
    }

    var isDeviceAccepted: Bool {
        let isServers = isServerClaimed && deviceCheck == .serverIssued
        return !isDeviceAsked || deviceCheck == .match || isServers
    }

    var arePurchasesAccepted: Bool { app != nil && purchaseFault == nil && held.allSatisfy(\.isAccepted) }

    var isAccepted: Bool { verdict == .trusted && isAppAccepted && arePurchasesAccepted }
}

/// A document that another holds, with a verdict of its own.
struct HeldDocument {
    let part: SignedPart
    let outcome: Result<VerificationReport, Unreadable>

    var isAccepted: Bool { (try? outcome.get())?.isAccepted ?? false }
}
