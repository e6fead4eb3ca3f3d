internal import Foundation

/// What a chunk of receipts comes to.
struct ChunkTruth: Minted {
    let chunk: MintedChunk
    let receipts: [PresentedReceipt]
    let purchases: [LatestPurchase]
    let lines: [(name: String, lines: [UInt8])]

    var texts: [[UInt8]] { chunk.texts }
    var sales: [OwnSale] { [] }

    /// A distinct receipt, and who presented it when.
    struct PresentedReceipt: Sendable {
        let receipt: MintedReceipt
        var seen: Seen
        /// Devices that a hash can be checked for.
        var devices: Set<String> = []

        var isTrusted: Bool { receipt.verdict == .trusted }
    }

    /// A distinct purchase of trusted receipts, as the latest of them states it.
    struct LatestPurchase: Sendable {
        var transaction: Transaction
        var receipt: MintedReceipt
        var seen: Seen
    }

    init(_ chunk: MintedChunk) throws {
        self.chunk = chunk
        receipts = Self.distinctReceipts(chunk.submissions)
        purchases = Self.latestPurchases(receipts)
        let encoder = JSONEncoder.ofTruth
        lines = [
            (MintRun.receiptsName, try encoder.lines(receipts.map { ReceiptTruth($0.receipt) })),
            (MintRun.purchasesName, try encoder.lines(purchases.map(PurchaseTruth.init))),
        ]
    }

    func line(_ index: Int, archive: String, line: Int) -> LineTruth {
        LineTruth(chunk.submissions[index], archive: archive, line: line)
    }

    private static func distinctReceipts(_ submissions: [Submission]) -> [PresentedReceipt] {
        var distinct = Distinct<PresentedReceipt>()
        for submission in submissions where submission.defect?.rejection == nil {
            let receipt = submission.receipt
            let seen = Seen(submission.statedAt ?? receipt.claims.createdAt)
            var presented = distinct[receipt.sha256] ?? PresentedReceipt(receipt: receipt, seen: seen)
            presented.seen.add(seen)
            if let device = submission.deviceID, [.match, .mismatch].contains(submission.deviceCheck) {
                presented.devices.insert(device)
            }
            distinct[receipt.sha256] = presented
        }
        return distinct.values
    }

    private static func latestPurchases(_ receipts: [PresentedReceipt]) -> [LatestPurchase] {
        var latest = Distinct<LatestPurchase>()
        for presented in receipts where presented.isTrusted {
            let receipt = presented.receipt
            for transaction in receipt.claims.transactions {
                let key = receipt.claims.key(of: transaction)
                var purchase =
                    latest[key] ?? LatestPurchase(transaction: transaction, receipt: receipt, seen: presented.seen)
                purchase.seen.add(presented.seen)
                let former = purchase.receipt
                if (former.claims.createdAt, former.sha256) < (receipt.claims.createdAt, receipt.sha256) {
                    (purchase.transaction, purchase.receipt) = (transaction, receipt)
                }
                latest[key] = purchase
            }
        }
        return latest.values
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
            promotionalOfferId: transaction.promotionalOfferID, firstSeenAt: latest.seen.first.wholeSeconds,
            lastSeenAt: latest.seen.last.wholeSeconds, receiptSha256: receipt.sha256)
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
