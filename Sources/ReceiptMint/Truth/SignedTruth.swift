extension Truth {
    /// What the signed strings come to. All of it is counted in `totals`, too.
    public struct SignedTotals: Sendable, Codable, Equatable {
        /// Lines with signed strings, readable or not.
        public var lines = 0
        /// Documents that stand in lines themselves, each once in a line.
        public var submissions = 0
        /// Distinct documents, those inside others among them: kind → verdict → number.
        public var documents: [String: [String: Int]] = [:]
        /// Of `documents`, those that another one holds.
        public var parts = 0
        /// Distinct purchases of trusted documents.
        public var purchases = 0
        /// Of `purchases` in production: currency → sums.
        public var moneyByCurrency: [String: Money] = [:]
    }

    /// Sums in milliunits.
    public struct Money: Sendable, Codable, Equatable {
        /// Purchases with a price.
        public var purchases = 0
        /// Prices, of refunded purchases too.
        public var gross: Int64 = 0
        /// What was given back: the share of the price where one is told, rounded for each
        /// purchase, else all of it.
        public var refunded: Int64 = 0
    }
}

/// A line of `truth-signed.jsonl`: one for each distinct signed string that a
/// line presents, itself or inside another. Names and values as in the view `receipts`.
public struct SignedTruth: Sendable, Codable, Equatable {
    public var receiptSha256: String
    /// `signed_transaction`, `signed_renewal`, `app_transaction` or `notification`.
    public var kind: String
    public var verdict: String
    public var environment: String
    public var bundleId: String?
    public var receiptCreationDate: String
    /// Common name of the signing certificate's subject.
    public var signerCommonName: String
    public var bytes: Int
    /// One of a transaction.
    public var transactionIds: [String]
    /// What it holds: part → SHA-256.
    public var parts: [String: String]?
    /// Whether a line presents it itself.
    public var isSubmitted: Bool
}
