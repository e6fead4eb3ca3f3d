/// `truth.json`: how an archive was made, what was planted where, and what a
/// database that loaded all of it, and nothing else, has to count.
///
/// Keys are the properties' names in snake_case. Names of verdicts, device
/// checks and rejection reasons are the contract's.
public struct Truth: Sendable, Codable, Equatable {
    public var parameters: Parameters
    /// File of the trust anchor, in PEM.
    public var anchor: String
    /// SHA-256 of the anchor's DER, in hexadecimal.
    public var anchorSha256: String
    public var apps: [App]
    public var archives: [Archive]
    /// Lines with a defect: kind → archive → line numbers, counted from 1.
    public var defects: [String: [String: [Int]]] = [:]
    /// Lines that present what was copied, by who presents it: `holder` or `copier` → archive → line numbers.
    public var roles: [String: [String: [Int]]] = [:]
    public var totals = Totals()
    /// Only where strings were minted that the store signed: SHA-256 of their
    /// anchor's DER, the second certificate of `anchor`, and what they come to.
    public var signedAnchorSha256: String?
    public var signed: SignedTotals?
    /// Only where what the store signs since 2026 was minted.
    public var of2026: Truth2026?
    /// Only where the store's reports were written.
    public var storeReports: StoreReports?

    /// The command line that makes the same bytes again.
    public struct Parameters: Sendable, Codable, Equatable {
        public var seed: UInt64
        public var count: Int
        public var archives: Int
        public var linesPerMember: Int
        public var level: Int32
        /// `sha1`, `sha256`, or `mixed`: by the receipt's date.
        public var digest: String
        /// Planted share of the lines by kind of defect.
        public var shares: [String: Double]
        public var oddForms: Double
        public var bareLines: Double
        /// Share of the lines with signed strings, and planted shares of these lines.
        public var signed: Double?
        public var signedShares: [String: Double]?
        /// Shares of the lines with signed strings, and the last day of what is signed since 2026.
        public var shares2026: [String: Double]?
        public var lastDay: String?
        /// Whether all customers are those of one company.
        public var company: Bool?
        /// Shares of differences between the store's reports and the archives; absent without reports.
        public var storeShares: [String: Double]?
    }

    public struct App: Sendable, Codable, Equatable {
        public var bundleId: String
        /// `ios` or `macos`.
        public var platform: String
        /// Owners of earlier original versions paid for the app.
        public var firstFreeVersion: String
        /// Accounts that presented a trusted production receipt which is not
        /// another device's, by era: `paid`, `free`.
        public var accountsByEra: [String: Int]
    }

    public struct Archive: Sendable, Codable, Equatable {
        public var name: String
        public var lines: Int
    }

    public struct Totals: Sendable, Codable, Equatable {
        public var lines = 0
        /// Lines that hold a readable receipt.
        public var submissions = 0
        /// Rejected lines by reason, and documents that can't be read in lines of which others can.
        public var rejections: [String: Int] = [:]
        public var submissionsByVerdict: [String: Int] = [:]
        public var submissionsByDeviceCheck: [String: Int] = [:]
        /// Distinct receipts.
        public var receipts = 0
        public var receiptsByVerdict: [String: Int] = [:]
        /// Distinct trusted receipts by environment.
        public var trustedReceiptsByEnvironment: [String: Int] = [:]
        public var receiptsByDigestAlgorithm: [String: Int] = [:]
        /// Distinct purchases of trusted receipts.
        public var purchases = 0
        public var purchasesByProductType: [String: Int] = [:]
        /// Of `purchases`, those with a cancellation date, upgrades among them.
        public var canceledPurchases = 0
        /// Distinct purchases claimed by receipts that aren't trusted, by verdict.
        public var claimedPurchases: [String: Int] = [:]
        /// Pairs of a distinct receipt, whatever its verdict, and a purchase in it.
        public var receiptPurchases = 0
        /// Distinct lineages of trusted receipts, and those with more than one receipt.
        public var lineages = 0
        public var refreshedLineages = 0
        /// Distinct trusted receipts that more than one device presented,
        /// counting devices that a hash can be checked for.
        public var sharedReceipts = 0
    }
}

/// A line of `truth-lines.jsonl`: one for each line of the archives.
public struct LineTruth: Sendable, Codable, Equatable {
    public var archive: String
    /// Counted from 1.
    public var line: Int
    /// `plain`, `other_keys`, `url_safe`, `unpadded`, `escaped_slashes`, `spaced`, `bare`, `json_string`;
    /// of signed strings `member`, `pair`, `history`, `statuses`, `notification_history` where it isn't bare
    /// or a string.
    public var form: String
    public var defect: String?
    /// What the line is planted for, of what the store signs since 2026.
    public var feature: String?
    /// Why the line can't be loaded; all that follows is absent then.
    public var rejection: String?
    public var receiptSha256: String?
    public var verdict: String?
    public var deviceCheck: String?
    /// Of lines with signed strings: the kind of the first.
    public var kind: String?
    /// Of lines with several signed strings: each once, in the order of the line, the first among them.
    public var documents: [Document]?
    /// Of lines some of whose signed strings can't be read: those.
    public var unreadable: [Unreadable]?
    /// Of what was copied: `holder`, who has a right to it, or `copier`.
    public var role: String?
    /// As it stands in the line.
    public var deviceId: String?
    public var accountId: String?
    public var submittedAt: String?

    public struct Document: Sendable, Codable, Equatable {
        public var receiptSha256: String
        public var kind: String
        public var verdict: String
        public var deviceCheck: String
    }

    /// A rejection as in the view `rejections`.
    public struct Unreadable: Sendable, Codable, Equatable {
        /// The n-th of the line, from 1.
        public var document: Int
        public var reason: String
    }
}

/// A line of `truth-receipts.jsonl`: one for each distinct receipt that at
/// minimum one line presents. Names and values as in the view `receipts`.
public struct ReceiptTruth: Sendable, Codable, Equatable {
    public var receiptSha256: String
    public var verdict: String
    public var environment: String
    public var bundleId: String
    public var appVersion: String
    public var originalApplicationVersion: String
    public var originalPurchaseDate: String
    public var receiptCreationDate: String
    public var expirationDate: String?
    public var appItemId: Int64
    public var versionExternalIdentifier: Int64
    public var downloadId: Int64
    /// `sha1`, `sha256` or `md5`.
    public var digestAlgorithm: String
    /// Common name of the signing certificate's subject.
    public var signerCommonName: String
    public var lineage: String
    public var bytes: Int
    /// By time of purchase; the receipt itself may have another order.
    public var transactionIds: [String]
}

/// A line of `truth-purchases.jsonl`: one for each distinct purchase of
/// trusted receipts, in its latest state: of the receipt created last,
/// of several created at once the one with the maximum SHA-256. Names and
/// values as in the view `purchases`; absent is null.
public struct PurchaseTruth: Sendable, Codable, Equatable {
    public var environment: String
    public var bundleId: String
    public var transactionId: String
    public var originalTransactionId: String
    public var productId: String
    public var quantity: Int64
    public var productType: Int64
    public var purchaseDate: String
    public var originalPurchaseDate: String
    public var expiresDate: String?
    public var cancellationDate: String?
    /// 0 in receipts where nothing renews: the store writes it so.
    public var webOrderLineItemId: Int64?
    public var isTrialPeriod: Int?
    /// Of subscriptions only.
    public var isInIntroOfferPeriod: Int?
    public var promotionalOfferId: String?
    /// First and last submission of a trusted receipt with it; of a
    /// submission without a time, the receipt's creation.
    public var firstSeenAt: String
    public var lastSeenAt: String
    public var receiptSha256: String

    // What signed strings alone state; each value is of the newest string that has one.
    public var priceMilliunits: Int64?
    public var currency: String?
    public var storefront: String?
    public var ownership: String?
    public var offerType: Int64?
    public var offerId: String?
    public var offerDiscountType: String?
    public var offerPeriod: String?
    public var transactionReason: String?
    /// Present where it is 1: the store states nothing else.
    public var isUpgraded: Int?
    public var revocationReason: Int64?
    public var revocationType: String?
    /// 0 to 1.
    public var revokedShare: Double?
    public var subscriptionGroupId: String?
    public var appAccountToken: String?
    public var appTransactionId: String?

    // What the store states since 2026.
    /// What was charged for seats; `price_milliunits` is their average.
    public var amountMilliunits: Int64?
    public var billingPlan: String?
    public var commitmentPeriod: Int64?
    public var commitmentPeriods: Int64?
    public var commitmentPriceMilliunits: Int64?
    public var commitmentExpiresDate: String?
    public var seatInvitations: String?
    /// Present where it is above 0.
    public var seatsRevoked: Int64?
    public var additionalReason: String?
    public var previousOriginalTransactionId: String?
}
