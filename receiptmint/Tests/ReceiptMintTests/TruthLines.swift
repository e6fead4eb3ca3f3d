// What tests read of the lines of files of truth.

/// A line of `truth-lines.jsonl`.
struct LineTruth: Decodable, Equatable {
    var archive: String
    var line: Int
    var form: String
    var defect: String?
    var feature: String?
    var receiptSha256: String?
    var verdict: String?
    var accountId: String?
    var submittedAt: String?
}

/// A line of `truth-receipts.jsonl`.
struct ReceiptTruth: Decodable {
    var receiptSha256: String
    var transactionIds: [String]
}

/// A line of `truth-purchases.jsonl`.
struct PurchaseTruth: Decodable {
    var environment: String
    var transactionId: String
    var originalTransactionId: String
    var productType: Int
    var cancellationDate: String?
    var isTrialPeriod: Int?
    var isInIntroOfferPeriod: Int?
    var priceMilliunits: Int64?
    var ownership: String?
    var offerType: Int?
}

/// A line of `truth-signed.jsonl`.
struct SignedTruth: Decodable {
    var receiptSha256: String
    var kind: String
    var verdict: String
    var receiptCreationDate: String
    var bytes: Int
}

/// A line of `truth-renewals.jsonl`.
struct RenewalTruth: Decodable {
    var originalTransactionId: String
}

/// A line of `truth-notifications.jsonl`.
struct NotificationTruth: Decodable {
    var notificationType: String
    var subtype: String?
    var transactionId: String?
}

/// A line of `truth-store.jsonl`.
struct StoreDifferenceTruth: Decodable, Equatable {
    var `class`: String
    var transactionId: String?
    var productId: String
    var country: String
    var currency: String
    var isRefund: Bool
    var isMixed: Bool
    var utcDay: String?
    var ownDay: String?
    var ownUnits: Int64
    var ownPriceMilliunits: Int64?
    var storeDay: String?
    var storeUnits: Int64
    var storePriceMilliunits: Int64?
}
