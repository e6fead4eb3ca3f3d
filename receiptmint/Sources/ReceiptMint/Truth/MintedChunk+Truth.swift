/// What a chunk of receipts comes to.
extension MintedChunk {
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

    static func distinctReceipts(_ submissions: [Submission]) -> [PresentedReceipt] {
        var distinct = Distinct<PresentedReceipt>()
        for submission in submissions where submission.rejection == nil {
            let receipt = submission.receipt
            let seen = Seen(submission.statedAt ?? receipt.claims.createdAt)
            let first = PresentedReceipt(receipt: receipt, seen: seen)
            distinct[receipt.sha256, default: first].seen.add(seen)
            if let device = submission.shown.deviceID, [.match, .mismatch].contains(submission.deviceCheck) {
                distinct[receipt.sha256, default: first].devices.insert(device)
            }
        }
        return distinct.values
    }

    static func latestPurchases(_ receipts: [PresentedReceipt]) -> [LatestPurchase] {
        var latest = Distinct<LatestPurchase>()
        for presented in receipts where presented.isTrusted {
            let receipt = presented.receipt
            for transaction in receipt.claims.transactions {
                let key = receipt.claims.key(of: transaction)
                let stated = LatestPurchase(transaction: transaction, receipt: receipt, seen: presented.seen)
                var purchase = latest[key, default: stated]
                purchase.seen.add(presented.seen)
                let former = purchase.receipt.claims.createdAt
                if (former, purchase.receipt.sha256) < (receipt.claims.createdAt, receipt.sha256) {
                    (purchase.transaction, purchase.receipt) = (transaction, receipt)
                }
                latest[key, default: stated] = purchase
            }
        }
        return latest.values
    }
}

// Names and values are those of the views; what is absent is null there.

extension MintedReceipt {
    /// A line of `truth-receipts.jsonl`: one for each distinct receipt that at minimum one line presents.
    var truth: JSONText {
        [
            "receipt_sha256": sha256, "verdict": verdict.rawValue, "environment": claims.environment,
            "bundle_id": claims.bundleID, "app_version": claims.appVersion,
            "original_application_version": claims.customer.originalVersion,
            "original_purchase_date": claims.customer.originallyPurchasedAt.wholeSeconds,
            "receipt_creation_date": claims.createdAt.wholeSeconds,
            "expiration_date": claims.expiresAt?.wholeSeconds, "app_item_id": claims.itemID,
            "version_external_identifier": claims.versionExternalID, "download_id": claims.downloadID,
            "digest_algorithm": digest.rawValue, "signer_common_name": signer.commonName, "lineage": claims.lineage,
            "bytes": encoded.count,
            // By time of purchase; the receipt itself may have another order.
            "transaction_ids": claims.transactions.map { String($0.id) },
        ]
    }
}

extension MintedChunk.LatestPurchase {
    /// A line of `truth-purchases.jsonl`: one for each distinct purchase of trusted receipts, in its latest state: of
    /// the receipt created last, of several created at once the one with the maximum SHA-256.
    var truth: JSONText {
        let isSubscription = transaction.product.kind == .autoRenewable
        return [
            "environment": receipt.claims.environment, "bundle_id": receipt.claims.bundleID,
            "transaction_id": String(transaction.id), "original_transaction_id": String(transaction.originalID),
            "product_id": transaction.product.id, "quantity": transaction.quantity,
            "product_type": transaction.product.kind.rawValue, "purchase_date": transaction.purchasedAt.wholeSeconds,
            "original_purchase_date": transaction.originallyPurchasedAt.wholeSeconds,
            "expires_date": transaction.expiresAt?.wholeSeconds,
            "cancellation_date": transaction.canceledAt?.wholeSeconds,
            // 0 where nothing renews: the store writes it so.
            "web_order_line_item_id": transaction.webOrderLineItemID, "is_trial_period": transaction.isTrial.number,
            "is_in_intro_offer_period": isSubscription ? transaction.isIntroductory.number : nil,
            "promotional_offer_id": transaction.promotionalOfferID,
            // First and last submission of a trusted receipt with it; of a submission without a time, the
            // receipt's creation.
            "first_seen_at": seen.first.wholeSeconds, "last_seen_at": seen.last.wholeSeconds,
            "receipt_sha256": receipt.sha256,
        ]
    }
}
