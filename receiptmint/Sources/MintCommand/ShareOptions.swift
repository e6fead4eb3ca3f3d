import ArgumentParser
import ReceiptMint

/// A share for each kind of defect; what isn't given keeps its default.
struct ShareOptions: ParsableArguments {
    @Option(help: share(.hashMismatch, "Device that the receipt wasn't made for"))
    var hashMismatches: Double?

    @Option(help: share(.sharedReceipt, "One genuine receipt, presented by three to five devices"))
    var sharedReceipts: Double?

    @Option(help: share(.forgedSignature, "Payload changed after signing"))
    var forgedSignatures: Double?

    @Option(help: share(.foreignChain, "Same shape and markers, another root"))
    var foreignChains: Double?

    @Option(help: share(.missingMarkers, "Signer or intermediate without Apple's marker"))
    var missingMarkers: Double?

    @Option(help: share(.expiredSigner, "Signer expired when the receipt was created"))
    var expiredSigners: Double?

    @Option(help: share(.brokenChain, "Signer that its intermediate never signed"))
    var brokenChains: Double?

    @Option(help: share(.weakKey, "Signer with a key of 1024 bits"))
    var weakKeys: Double?

    @Option(help: share(.weakDigest, "Signed over MD5"))
    var weakDigests: Double?

    @Option(help: share(.sandbox, "Sandbox receipt among production"))
    var sandbox: Double?

    @Option(help: share(.serverIssued, "Receipt made for a server, with the hash of sixteen zero bytes"))
    var serverIssued: Double?

    @Option(help: share(.truncatedBase64, "Base64 cut within a group"))
    var truncatedBase64: Double?

    @Option(help: share(.truncatedContainer, "Base64 cut between groups"))
    var truncatedContainers: Double?

    @Option(help: share(.malformedPayload, "Signed payload that runs past its end"))
    var malformedPayloads: Double?

    @Option(help: share(.brokenJSON, "Line that is no JSON"))
    var brokenJson: Double?

    @Option(help: share(.noReceipt, "Object without a receipt"))
    var noReceipt: Double?

    @Option(help: share(.noDeviceID, "No device identifier"))
    var noDeviceId: Double?

    @Option(help: share(.invalidDeviceID, "Device identifier in no known notation"))
    var invalidDeviceId: Double?

    @Option(help: share(.sharedLineage, "Refreshed receipt, its older form presented by two other devices"))
    var sharedLineages: Double?

    @Option(help: share(.sharedTransaction, "One purchase restored under three accounts"))
    var sharedTransactions: Double?

    @Option(help: share(.replayedConsumable, "Consumable presented under three accounts"))
    var replayedConsumables: Double?

    @Option(help: share(.refundedYetUsed, "Receipt from before a refund, presented months after it"))
    var refundedYetUsed: Double?

    @Option(help: share(.versionBackwards, "Receipt of an older version than the device had"))
    var versionsBackwards: Double?

    @Option(help: share(.burst, "Twenty submissions of one account within minutes"))
    var bursts: Double?

    @Option(help: share(.unexpectedBundle, "Genuine receipt of another developer's app"))
    var unexpectedBundles: Double?

    @Option(help: share(.volumeLicenseExpired, "Volume license that had run out"))
    var volumeLicensesExpired: Double?

    @Option(help: share(.purchaseAfterCreation, "Purchase dated after its receipt"))
    var purchasesAfterCreation: Double?

    @Option(help: share(.expiryBeforePurchase, "Subscription that ends before it begins"))
    var expiriesBeforePurchase: Double?

    @Option(help: share(.originalVersionNewer, "Original version newer than the version"))
    var originalVersionsNewer: Double?

    @Option(help: share(.creationAfterSubmission, "Submitted before the receipt was created"))
    var creationsAfterSubmission: Double?

    @Option(help: share(MintParameters().oddForms, "No defect: other keys, alphabets, escapes, spaces"))
    var oddForms: Double?

    @Option(help: share(MintParameters().bareLines, "No defect: bare base64 or a JSON string, without context"))
    var bareLines: Double?

    private static func share(_ defect: Defect, _ what: String) -> ArgumentHelp { share(defect.defaultShare, what) }

    private static func share(_ standard: Double, _ what: String) -> ArgumentHelp {
        ArgumentHelp("\(what) (default: \(standard)).", valueName: "share")
    }

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
