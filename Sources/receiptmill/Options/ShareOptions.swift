import ArgumentParser
import ReceiptMint

/// A share for each kind of defect; what isn't given keeps its default.
struct ShareOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Device that the receipt wasn't made for (default: 0.01).", valueName: "share"))
    var hashMismatches: Double?

    @Option(
        help: ArgumentHelp(
            "One genuine receipt, presented by three to five devices (default: 0.008).", valueName: "share"))
    var sharedReceipts: Double?

    @Option(help: ArgumentHelp("Payload changed after signing (default: 0.005).", valueName: "share"))
    var forgedSignatures: Double?

    @Option(help: ArgumentHelp("Same shape and markers, another root (default: 0.005).", valueName: "share"))
    var foreignChains: Double?

    @Option(help: ArgumentHelp("Signer or intermediate without Apple's marker (default: 0.005).", valueName: "share"))
    var missingMarkers: Double?

    @Option(help: ArgumentHelp("Signer expired when the receipt was created (default: 0.003).", valueName: "share"))
    var expiredSigners: Double?

    @Option(help: ArgumentHelp("Signer that its intermediate never signed (default: 0.001).", valueName: "share"))
    var brokenChains: Double?

    @Option(help: ArgumentHelp("Signer with a key of 1024 bits (default: 0.001).", valueName: "share"))
    var weakKeys: Double?

    @Option(help: ArgumentHelp("Signed over MD5 (default: 0.001).", valueName: "share"))
    var weakDigests: Double?

    @Option(help: ArgumentHelp("Sandbox receipt among production (default: 0.01).", valueName: "share"))
    var sandbox: Double?

    @Option(
        help: ArgumentHelp(
            "Receipt made for a server, with the hash of sixteen zero bytes (default: 0.005).", valueName: "share"))
    var serverIssued: Double?

    @Option(help: ArgumentHelp("Base64 cut within a group (default: 0.003).", valueName: "share"))
    var truncatedBase64: Double?

    @Option(help: ArgumentHelp("Base64 cut between groups (default: 0.001).", valueName: "share"))
    var truncatedContainers: Double?

    @Option(help: ArgumentHelp("Signed payload that runs past its end (default: 0.001).", valueName: "share"))
    var malformedPayloads: Double?

    @Option(help: ArgumentHelp("Line that is no JSON (default: 0.003).", valueName: "share"))
    var brokenJson: Double?

    @Option(help: ArgumentHelp("Object without a receipt (default: 0.002).", valueName: "share"))
    var noReceipt: Double?

    @Option(help: ArgumentHelp("No device identifier (default: 0.02).", valueName: "share"))
    var noDeviceId: Double?

    @Option(help: ArgumentHelp("Device identifier in no known notation (default: 0.003).", valueName: "share"))
    var invalidDeviceId: Double?

    @Option(
        help: ArgumentHelp(
            "Refreshed receipt, its older form presented by two other devices (default: 0.003).", valueName: "share"))
    var sharedLineages: Double?

    @Option(help: ArgumentHelp("One purchase restored under three accounts (default: 0.003).", valueName: "share"))
    var sharedTransactions: Double?

    @Option(help: ArgumentHelp("Consumable presented under three accounts (default: 0.003).", valueName: "share"))
    var replayedConsumables: Double?

    @Option(
        help: ArgumentHelp(
            "Receipt from before a refund, presented months after it (default: 0.001).", valueName: "share"))
    var refundedYetUsed: Double?

    @Option(help: ArgumentHelp("Receipt of an older version than the device had (default: 0.001).", valueName: "share"))
    var versionsBackwards: Double?

    @Option(
        help: ArgumentHelp("Twenty submissions of one account within minutes (default: 0.001).", valueName: "share"))
    var bursts: Double?

    @Option(help: ArgumentHelp("Genuine receipt of somebody else's app (default: 0.001).", valueName: "share"))
    var unexpectedBundles: Double?

    @Option(help: ArgumentHelp("Volume license that had run out (default: 0.001).", valueName: "share"))
    var volumeLicensesExpired: Double?

    @Option(help: ArgumentHelp("Purchase dated after its receipt (default: 0.001).", valueName: "share"))
    var purchasesAfterCreation: Double?

    @Option(help: ArgumentHelp("Subscription that ends before it begins (default: 0.001).", valueName: "share"))
    var expiriesBeforePurchase: Double?

    @Option(help: ArgumentHelp("Original version newer than the version (default: 0.001).", valueName: "share"))
    var originalVersionsNewer: Double?

    @Option(help: ArgumentHelp("Submitted before the receipt was created (default: 0.001).", valueName: "share"))
    var creationsAfterSubmission: Double?

    @Option(
        help: ArgumentHelp("No defect: other keys, alphabets, escapes, spaces (default: 0.05).", valueName: "share"))
    var oddForms: Double?

    @Option(
        help: ArgumentHelp(
            "No defect: bare base64 or a JSON string, without context (default: 0.005).", valueName: "share"))
    var bareLines: Double?

    /// The shares that were given.
    var given: [Double] { byDefect.compactMap(\.share) + [oddForms, bareLines].compactMap(\.self) }

    func apply(to parameters: inout MintParameters) {
        for (defect, share) in byDefect {
            if let share { parameters.shares[defect] = share }
        }
        if let oddForms { parameters.oddForms = oddForms }
        if let bareLines { parameters.bareLines = bareLines }
    }

    private var byDefect: [(defect: Defect, share: Double?)] {
        [
            (.hashMismatch, hashMismatches), (.sharedReceipt, sharedReceipts),
            (.forgedSignature, forgedSignatures), (.foreignChain, foreignChains),
            (.missingMarkers, missingMarkers), (.expiredSigner, expiredSigners),
            (.brokenChain, brokenChains), (.weakKey, weakKeys),
            (.weakDigest, weakDigests), (.sandbox, sandbox),
            (.serverIssued, serverIssued), (.truncatedBase64, truncatedBase64),
            (.truncatedContainer, truncatedContainers), (.malformedPayload, malformedPayloads),
            (.brokenJSON, brokenJson), (.noReceipt, noReceipt),
            (.noDeviceID, noDeviceId), (.invalidDeviceID, invalidDeviceId),
            (.sharedLineage, sharedLineages), (.sharedTransaction, sharedTransactions),
            (.replayedConsumable, replayedConsumables), (.refundedYetUsed, refundedYetUsed),
            (.versionBackwards, versionsBackwards), (.burst, bursts),
            (.unexpectedBundle, unexpectedBundles), (.volumeLicenseExpired, volumeLicensesExpired),
            (.purchaseAfterCreation, purchasesAfterCreation), (.expiryBeforePurchase, expiriesBeforePurchase),
            (.originalVersionNewer, originalVersionsNewer), (.creationAfterSubmission, creationsAfterSubmission),
        ]
    }
}
