extension Truth {
    /// Adds what a chunk counts. No receipt, purchase or account occurs in two chunks.
    mutating func add(_ minted: ChunkTruth) {
        totals.count(minted.chunk.submissions)
        totals.count(minted.receipts)
        totals.count(minted.purchases)
        var counted: Set<String> = []
        for submission in minted.chunk.submissions where submission.defect?.rejection == nil {
            let claims = submission.receipt.claims
            guard submission.receipt.verdict == .trusted, submission.deviceCheck != .mismatch, !claims.isSandbox,
                let account = submission.accountID, counted.insert(account + claims.environment).inserted,
                let app = apps.firstIndex(where: { $0.bundleId == claims.bundleID })
            else { continue }
            apps[app].accountsByEra[claims.isPaidEra ? "paid" : "free", default: 0] += 1
        }
    }
}

extension Truth.Totals {
    fileprivate mutating func count(_ added: [Submission]) {
        lines += added.count
        for submission in added {
            if let rejection = submission.defect?.rejection {
                rejections[rejection, default: 0] += 1
                continue
            }
            submissions += 1
            submissionsByVerdict[submission.receipt.verdict.rawValue, default: 0] += 1
            submissionsByDeviceCheck[submission.deviceCheck.rawValue, default: 0] += 1
        }
    }

    fileprivate mutating func count(_ added: [ChunkTruth.PresentedReceipt]) {
        var receiptsByLineage: [String: Int] = [:]
        var claimed: Set<String> = []
        receipts += added.count
        for presented in added {
            let (receipt, claims) = (presented.receipt, presented.receipt.claims)
            receiptsByVerdict[receipt.verdict.rawValue, default: 0] += 1
            receiptsByDigestAlgorithm[receipt.digest.rawValue, default: 0] += 1
            receiptPurchases += claims.transactions.count
            if presented.isTrusted {
                trustedReceiptsByEnvironment[claims.environment, default: 0] += 1
                receiptsByLineage[claims.bundleID + claims.lineage, default: 0] += 1
                if presented.devices.count > 1 { sharedReceipts += 1 }
                continue
            }
            let verdict = receipt.verdict.rawValue
            claimedPurchases[verdict, default: 0] += claims.transactions.count {
                claimed.insert(verdict + claims.key(of: $0)).inserted
            }
        }
        lineages += receiptsByLineage.count
        refreshedLineages += receiptsByLineage.values.count { $0 > 1 }
    }

    fileprivate mutating func count(_ added: [ChunkTruth.LatestPurchase]) {
        purchases += added.count
        canceledPurchases += added.count { $0.transaction.canceledAt != nil }
        for purchase in added {
            purchasesByProductType[String(purchase.transaction.product.kind.rawValue), default: 0] += 1
        }
    }
}
