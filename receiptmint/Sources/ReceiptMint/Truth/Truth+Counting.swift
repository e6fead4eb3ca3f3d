extension ChunkTruth {
    func count(in truth: inout Truth) {
        for submission in chunk.submissions {
            let rejection = submission.defect?.rejection
            truth.totals.countLine(rejections: [rejection].compactMap(\.self))
            if rejection == nil { truth.totals.submit(submission.receipt.verdict, submission.deviceCheck) }
        }
        countReceipts(in: &truth.totals)
        for purchase in purchases {
            truth.totals.countPurchase(
                of: purchase.transaction.product, isCanceled: purchase.transaction.canceledAt != nil)
        }
        var counted: Set<String> = []
        for submission in chunk.submissions where submission.defect?.rejection == nil {
            let claims = submission.receipt.claims
            guard submission.receipt.verdict == .trusted, submission.deviceCheck != .mismatch, !claims.isSandbox,
                let account = submission.accountID, counted.insert(account + claims.environment).inserted
            else { continue }
            truth.countAccount(of: claims.bundleID, isPaidEra: claims.isPaidEra)
        }
    }

    private func countReceipts(in totals: inout Truth.Totals) {
        var receiptsByLineage: [String: Int] = [:]
        var claimed: Set<String> = []
        for presented in receipts {
            let (receipt, claims) = (presented.receipt, presented.receipt.claims)
            totals.countReceipt(
                receipt.verdict, receipt.digest, in: claims.environment,
                purchases: claims.transactions.map { claims.key(of: $0) }, claimed: &claimed)
            guard presented.isTrusted else { continue }
            receiptsByLineage[claims.bundleID + claims.lineage, default: 0] += 1
            if presented.devices.count > 1 { totals.sharedReceipts += 1 }
        }
        totals.lineages += receiptsByLineage.count
        totals.refreshedLineages += receiptsByLineage.values.count { $0 > 1 }
    }
}

extension SignedChunkTruth {
    func count(in truth: inout Truth) {
        countLines(in: &truth.totals)
        var claimed: Set<String> = []
        for document in documents.map(\.document) {
            // Where nobody claims a purchase, none is counted.
            let claims = document.claims as? TransactionClaims
            truth.totals.countReceipt(
                document.verdict, .sha256, in: document.claims.environmentName, purchases: claims.map { [$0.key] },
                claimed: &claimed)
        }
        for purchase in purchases {
            truth.totals.countPurchase(
                of: purchase.newest.transaction.product, isCanceled: purchase.newest.revocation != nil)
        }
        truth.signed?.count(self)
        if var of2026 = truth.of2026 {
            for count in chunk.counts2026 { count(&of2026) }
            truth.of2026 = of2026
        }
        var counted: Set<String> = []
        for submission in chunk.submissions where submission.defect?.rejection == nil {
            for document in submission.distinctDocuments where document.isTrusted {
                guard let claims = document.claims as? AppClaims, !claims.customer.isSandbox,
                    submission.deviceCheck(of: document) != .mismatch, let account = submission.accountID,
                    counted.insert(account).inserted
                else { continue }
                truth.countAccount(of: claims.customer.app.bundleID, isPaidEra: claims.isPaidEra)
            }
        }
    }

    private func countLines(in totals: inout Truth.Totals) {
        for submission in chunk.submissions {
            if let rejection = submission.defect?.rejection {
                totals.countLine(rejections: [rejection])
                continue
            }
            totals.countLine(rejections: submission.numberedDocuments.compactMap(\.rejection))
            for document in submission.distinctDocuments {
                totals.submit(document.verdict, submission.deviceCheck(of: document))
            }
        }
    }
}

extension Truth {
    /// Counts an account that presented a trusted production receipt.
    fileprivate mutating func countAccount(of bundleID: String, isPaidEra: Bool) {
        guard let app = apps.firstIndex(where: { $0.bundleId == bundleID }) else { return }
        apps[app].accountsByEra[isPaidEra ? "paid" : "free", default: 0] += 1
    }
}

extension Truth.Totals {
    fileprivate mutating func countLine(rejections reasons: [String]) {
        lines += 1
        for reason in reasons { rejections[reason, default: 0] += 1 }
    }

    fileprivate mutating func submit(_ verdict: PlantedVerdict, _ check: PlantedCheck) {
        submissions += 1
        submissionsByVerdict[verdict.rawValue, default: 0] += 1
        submissionsByDeviceCheck[check.rawValue, default: 0] += 1
    }

    /// - Parameters:
    ///   - purchases: keys of those that the receipt states; nil of a document that is about none.
    ///   - claimed: those of the chunk's receipts so far that aren't trusted, by verdict.
    fileprivate mutating func countReceipt(
        _ verdict: PlantedVerdict, _ digest: Digest, in environment: String, purchases: [String]?,
        claimed: inout Set<String>
    ) {
        let verdict = verdict.rawValue
        receipts += 1
        receiptsByVerdict[verdict, default: 0] += 1
        receiptsByDigestAlgorithm[digest.rawValue, default: 0] += 1
        receiptPurchases += purchases?.count ?? 0
        if verdict == PlantedVerdict.trusted.rawValue {
            trustedReceiptsByEnvironment[environment, default: 0] += 1
        } else if let purchases {
            claimedPurchases[verdict, default: 0] += purchases.count { claimed.insert(verdict + $0).inserted }
        }
    }

    fileprivate mutating func countPurchase(of product: Product, isCanceled: Bool) {
        purchases += 1
        if isCanceled { canceledPurchases += 1 }
        purchasesByProductType[String(product.kind.rawValue), default: 0] += 1
    }
}

extension Truth.SignedTotals {
    fileprivate mutating func count(_ minted: SignedChunkTruth) {
        lines += minted.chunk.submissions.count
        for submission in minted.chunk.submissions where submission.defect?.rejection == nil {
            submissions += submission.distinctDocuments.count
        }
        for presented in minted.documents {
            let (kind, verdict) = (presented.document.kind, presented.document.verdict.rawValue)
            documents[kind, default: [:]][verdict, default: 0] += 1
            if presented.isPart { parts += 1 }
        }
        renewals += minted.renewals.count
        for notification in minted.notifications { notifications[notification.claims.name, default: 0] += 1 }
        purchases += minted.purchases.count
        for purchase in minted.purchases { count(purchase) }
    }

    private mutating func count(_ purchase: SignedChunkTruth.LatestPurchase) {
        let transaction = purchase.newest.transaction
        if transaction.isFamilyShared { familyShared += 1 }
        if transaction.isRenewal { renewedPeriods += 1 }
        if let offer = transaction.offer {
            purchasesByOfferType[transaction.customer.environmentName, default: [:]][String(offer.type), default: 0] +=
                1
        }
        // Members' transactions repeat what the purchaser paid.
        guard !transaction.customer.isSandbox, transaction.ownership != .assigned,
            let price = purchase.stated(\.amount), let currency = purchase.stated(\.currency)
        else { return }
        moneyByCurrency[currency, default: Truth.Money()].purchases += 1
        moneyByCurrency[currency]?.gross += price
        moneyByCurrency[currency]?.refunded += purchase.newest.refunded
    }
}
