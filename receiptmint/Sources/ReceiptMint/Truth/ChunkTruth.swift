internal import Foundation

/// What a chunk's lines come to, made where the chunk is minted, so that
/// threads share the work.
struct ChunkTruth: Sendable {
    let chunk: MintedChunk
    let receipts: [PresentedReceipt]
    let purchases: [LatestPurchase]
    /// Lines of `truth-receipts.jsonl` and `truth-purchases.jsonl`.
    let receiptLines, purchaseLines: [UInt8]

    /// A distinct receipt, and who presented it when.
    struct PresentedReceipt: Sendable {
        let receipt: MintedReceipt
        var firstSeenAt, lastSeenAt: CalendarTime
        /// Devices that a hash can be checked for.
        var devices: Set<String> = []

        var isTrusted: Bool { receipt.verdict == .trusted }
    }

    /// A distinct purchase of trusted receipts, as the latest of them states it.
    struct LatestPurchase: Sendable {
        var transaction: Transaction
        var receipt: MintedReceipt
        var firstSeenAt, lastSeenAt: CalendarTime
    }

    init(_ chunk: MintedChunk) throws {
        self.chunk = chunk
        receipts = Self.distinctReceipts(chunk.submissions)
        purchases = Self.latestPurchases(receipts)
        let encoder = JSONEncoder.ofTruth
        receiptLines = try encoder.lines(receipts.map { ReceiptTruth($0.receipt) })
        purchaseLines = try encoder.lines(purchases.map(PurchaseTruth.init))
    }

    private static func distinctReceipts(_ submissions: [Submission]) -> [PresentedReceipt] {
        var indices: [String: Int] = [:]
        var distinct: [PresentedReceipt] = []
        for submission in submissions where submission.defect?.rejection == nil {
            let receipt = submission.receipt
            let at = submission.statedAt ?? receipt.claims.createdAt
            let index = indices[receipt.sha256] ?? distinct.count
            if index == distinct.count {
                indices[receipt.sha256] = index
                distinct.append(PresentedReceipt(receipt: receipt, firstSeenAt: at, lastSeenAt: at))
            }
            distinct[index].firstSeenAt = min(distinct[index].firstSeenAt, at)
            distinct[index].lastSeenAt = max(distinct[index].lastSeenAt, at)
            if let device = submission.deviceID, [.match, .mismatch].contains(submission.deviceCheck) {
                distinct[index].devices.insert(device)
            }
        }
        return distinct
    }

    private static func latestPurchases(_ receipts: [PresentedReceipt]) -> [LatestPurchase] {
        var indices: [String: Int] = [:]
        var latest: [LatestPurchase] = []
        for presented in receipts where presented.isTrusted {
            let receipt = presented.receipt
            for transaction in receipt.claims.transactions {
                let key = receipt.claims.key(of: transaction)
                guard let index = indices[key] else {
                    indices[key] = latest.count
                    latest.append(
                        LatestPurchase(
                            transaction: transaction, receipt: receipt, firstSeenAt: presented.firstSeenAt,
                            lastSeenAt: presented.lastSeenAt))
                    continue
                }
                latest[index].firstSeenAt = min(latest[index].firstSeenAt, presented.firstSeenAt)
                latest[index].lastSeenAt = max(latest[index].lastSeenAt, presented.lastSeenAt)
                let former = latest[index].receipt
                if (former.claims.createdAt, former.sha256) < (receipt.claims.createdAt, receipt.sha256) {
                    (latest[index].transaction, latest[index].receipt) = (transaction, receipt)
                }
            }
        }
        return latest
    }
}

extension ReceiptClaims {
    /// What a purchase is known by.
    func key(of transaction: Transaction) -> String {
        environment + " " + bundleID + " " + String(transaction.id)
    }

    /// Whether the app still had a price when the owner got it.
    var isPaidEra: Bool { app.release(at: originallyPurchasedAt) < app.firstFreeRelease }
}

extension ReceiptTruth {
    init(_ receipt: MintedReceipt) {
        let claims = receipt.claims
        self.init(
            receiptSha256: receipt.sha256, verdict: receipt.verdict.rawValue, environment: claims.environment,
            bundleId: claims.bundleID, appVersion: claims.appVersion,
            originalApplicationVersion: claims.originalVersion,
            originalPurchaseDate: claims.originallyPurchasedAt.wholeSeconds,
            receiptCreationDate: claims.createdAt.wholeSeconds, expirationDate: claims.expiresAt?.wholeSeconds,
            appItemId: claims.itemID, versionExternalIdentifier: claims.versionExternalID,
            downloadId: claims.downloadID, digestAlgorithm: receipt.digest.rawValue,
            signerCommonName: receipt.signer.commonName, lineage: claims.lineage, bytes: receipt.encoded.count,
            transactionIds: claims.transactions.map { String($0.id) })
    }
}

extension PurchaseTruth {
    init(_ latest: ChunkTruth.LatestPurchase) {
        let (transaction, receipt) = (latest.transaction, latest.receipt)
        let isSubscription = transaction.product.kind == .autoRenewable
        self.init(
            environment: receipt.claims.environment, bundleId: receipt.claims.bundleID,
            transactionId: String(transaction.id), originalTransactionId: String(transaction.originalID),
            productId: transaction.product.id, quantity: transaction.quantity,
            productType: transaction.product.kind.rawValue, purchaseDate: transaction.purchasedAt.wholeSeconds,
            originalPurchaseDate: transaction.originallyPurchasedAt.wholeSeconds,
            expiresDate: transaction.expiresAt?.wholeSeconds, cancellationDate: transaction.canceledAt?.wholeSeconds,
            webOrderLineItemId: transaction.webOrderLineItemID, isTrialPeriod: transaction.isTrial ? 1 : 0,
            isInIntroOfferPeriod: isSubscription ? (transaction.isIntroductory ? 1 : 0) : nil,
            promotionalOfferId: transaction.promotionalOfferID, firstSeenAt: latest.firstSeenAt.wholeSeconds,
            lastSeenAt: latest.lastSeenAt.wholeSeconds, receiptSha256: receipt.sha256)
    }
}

extension LineTruth {
    init(_ submission: Submission, archive: String, line: Int) {
        self.init(archive: archive, line: line, form: submission.form.rawValue, defect: submission.defect?.rawValue)
        rejection = submission.defect?.rejection
        guard rejection == nil else { return }
        receiptSha256 = submission.receipt.sha256
        verdict = submission.receipt.verdict.rawValue
        deviceCheck = submission.deviceCheck.rawValue
        role = submission.role?.rawValue
        deviceId = submission.deviceID
        accountId = submission.accountID
        submittedAt = submission.statedAt?.wholeSeconds
    }
}
