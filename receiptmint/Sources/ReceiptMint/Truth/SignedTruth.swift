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
        /// Of `purchases`: environment → type of offer → number.
        public var purchasesByOfferType: [String: [String: Int]] = [:]
        /// Of `purchases`, those of family members.
        public var familyShared = 0
        /// Of `purchases`, periods after the first.
        public var renewedPeriods = 0
        /// Distinct trusted notifications, each counted once however often it was
        /// sent: `TYPE` or `TYPE/SUBTYPE` → number.
        public var notifications: [String: Int] = [:]
        /// Subscriptions with a trusted renewal info.
        public var renewals = 0
    }

    /// Sums in milliunits.
    public struct Money: Sendable, Codable, Equatable {
        /// Purchases with a price.
        public var purchases = 0
        /// Prices, of refunded purchases too.
        public var gross: Int64 = 0
        /// What was given back: the share of the price where one is stated, rounded for each
        /// purchase, else all of it.
        public var refunded: Int64 = 0
    }
}

/// A line of `truth-signed.jsonl`: one for each distinct signed string that a
/// line presents, itself or inside another. Names and values as in the view `receipts`.
public struct SignedTruth: Sendable, Codable, Equatable {
    public var receiptSha256: String
    /// `signed_transaction`, `signed_renewal`, `app_transaction`, `notification` or `realtime_request`.
    public var kind: String
    public var verdict: String
    public var environment: String
    public var bundleId: String?
    public var receiptCreationDate: String
    /// Common name of the signing certificate's subject.
    public var signerCommonName: String
    public var bytes: Int
    public var appItemId: Int64?

    // Of app transactions.
    public var appVersion: String?
    public var originalApplicationVersion: String?
    public var originalPurchaseDate: String?
    public var versionExternalIdentifier: Int64?
    /// `iOS` or `macOS`.
    public var originalPlatform: String?

    /// One of a transaction.
    public var transactionIds: [String]
    /// What it holds: part → SHA-256.
    public var parts: [String: String]?
    /// Whether a line presents it itself.
    public var isSubmitted: Bool
}

/// A line of `truth-renewals.jsonl`: one for each subscription with a trusted
/// renewal info, in its latest state. Names and values as in the view `renewals`.
public struct RenewalTruth: Sendable, Codable, Equatable {
    public var environment: String
    /// Of the trusted transaction or notification that states the value; absent where none does.
    public var bundleId: String?
    public var originalTransactionId: String
    public var productId: String
    public var autoRenewProductId: String
    public var autoRenewStatus: Int
    public var expirationIntent: Int64?
    /// Present where it is 1: the store states nothing else.
    public var isInBillingRetry: Int?
    public var gracePeriodExpiresDate: String?
    public var renewalDate: String
    public var renewalPriceMilliunits: Int64?
    public var currency: String?
    public var offerType: Int64?
    public var offerId: String?
    public var priceIncreaseStatus: Int64?
    public var recentSubscriptionStartDate: String
    public var signedAt: String
    public var receiptSha256: String

    // What the store states since 2026.
    public var billingPlan: String?
    public var commitmentAutoRenewStatus: Int64?
    public var commitmentRenewalDate: String?
    public var commitmentRenewalPriceMilliunits: Int64?
    public var renewalQuantity: Int64?
    /// Of seats: their prices together.
    public var renewalAmountMilliunits: Int64?
}

/// A line of `truth-notifications.jsonl`: one for each distinct trusted
/// notification, as it was signed first. Names and values as in the view `notifications`.
public struct NotificationTruth: Sendable, Codable, Equatable {
    public var notificationUuid: String
    public var notificationType: String
    public var subtype: String?
    public var signedAt: String
    public var environment: String
    public var bundleId: String
    public var appAppleId: Int64?
    /// Of the trusted transaction inside; the next two of the renewal info where that one isn't trusted.
    public var transactionId: String?
    public var originalTransactionId: String?
    public var productId: String?
    public var status: Int64?
    public var consumptionRequestReason: String?
    public var receiptSha256: String
}
