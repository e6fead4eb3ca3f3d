internal import Foundation
internal import TestSupport

// What tests read of the lines of the mint's files of truth.

/// A line of `truth-lines.jsonl`.
package struct LineTruth: Sendable, Decodable {
    package var archive: String
    package var line: Int
    package var defect: String?
    /// Why the line can't be loaded; all that follows is absent then.
    package var rejection: String?
    package var receiptSha256: String?
    package var verdict: String?
    package var deviceCheck: String?
    /// Of lines with several signed strings: each once, the first among them.
    package var documents: [Document]?
    package var unreadable: [Unreadable]?
    package var role: String?
    package var deviceId: String?
    package var accountId: String?
    package var submittedAt: String?

    package struct Document: Sendable, Decodable {
        package var receiptSha256: String
        package var verdict: String
        package var deviceCheck: String
    }

    package struct Unreadable: Sendable, Decodable {
        package var document: Int
        package var reason: String
    }
}

/// A line of `truth-receipts.jsonl`.
package struct ReceiptTruth: Sendable, Decodable {
    package var receiptSha256: String
    package var bundleId: String
    package var signerCommonName: String
    package var lineage: String
    package var transactionIds: [String]
}

/// A line of `truth-purchases.jsonl`.
package struct PurchaseTruth: Sendable, Decodable {
    package var environment: String
    package var bundleId: String
    package var transactionId: String
    package var receiptSha256: String
    package var priceMilliunits: Int64?
    package var currency: String?
    package var amountMilliunits: Int64?
    package var billingPlan: String?
    package var commitmentPeriod: Int64?
    package var commitmentPeriods: Int64?
    package var commitmentPriceMilliunits: Int64?
    package var commitmentExpiresDate: String?
    package var seatInvitations: String?
    package var seatsRevoked: Int64?
    package var additionalReason: String?
    package var previousOriginalTransactionId: String?
}

/// A line of `truth-signed.jsonl`.
package struct SignedTruth: Sendable, Decodable {
    package var receiptSha256: String
    package var kind: String
    package var verdict: String
    package var bytes: Int
    package var bundleId: String?
}

/// A line of `truth-renewals.jsonl`.
package struct RenewalTruth: Sendable, Decodable {
    package var originalTransactionId: String
    package var billingPlan: String?
    package var commitmentAutoRenewStatus: Int64?
    package var commitmentRenewalDate: String?
    package var commitmentRenewalPriceMilliunits: Int64?
    package var renewalQuantity: Int64?
    package var renewalAmountMilliunits: Int64?
}

extension MintedArchive {
    /// The objects of one of the truth's files of lines, as far as a test reads them.
    package func lines<Line: Decodable>(_ name: String, as type: Line.Type) throws -> [Line] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try texts(of: name).map { try decoder.decode(type, from: $0) }
    }

    /// The same objects with all of their members.
    package func objects(_ name: String) throws -> [[String: Any]] {
        try texts(of: name).compactMap { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    }

    private func texts(of name: String) throws -> [Data] {
        try workdir.read(name).split(separator: UInt8(ascii: "\n")).map { Data($0) }
    }
}
