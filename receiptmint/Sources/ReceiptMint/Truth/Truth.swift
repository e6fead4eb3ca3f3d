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
