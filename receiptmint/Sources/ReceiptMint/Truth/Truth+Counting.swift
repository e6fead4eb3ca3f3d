extension MintedChunk {
    func count(in truth: inout Truth) {
        truth.count(submissions)
        countReceipts(in: &truth.totals)
        for purchase in purchases {
            truth.totals.countPurchase(
                of: purchase.transaction.product, isCanceled: purchase.transaction.canceledAt != nil)
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

extension SignedChunk {
    func count(in truth: inout Truth) {
        truth.count(submissions)
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
            for count in counts2026 { count(&of2026) }
            truth.of2026 = of2026
        }
    }
}

extension Truth {
    fileprivate mutating func count(_ lines: [some PresentedLine]) {
        var owners: Set<String> = []
        for line in lines {
            totals.lines += 1
            for reason in line.unreadable.map(\.reason) + [line.rejection].compactMap(\.self) {
                totals.rejections[reason, default: 0] += 1
            }
            for document in line.presented {
                totals.submissions += 1
                totals.submissionsByVerdict[document.verdict.rawValue, default: 0] += 1
                totals.submissionsByDeviceCheck[document.check.rawValue, default: 0] += 1
                guard document.verdict == .trusted, document.check != .mismatch, let account = line.shown.accountID,
                    let ownership = document.ownership, ownership.environment != Customer.sandbox,
                    owners.insert(account + ownership.environment).inserted,
                    let app = apps.firstIndex(where: { $0.bundleId == ownership.bundleID })
                else { continue }
                apps[app].accountsByEra[ownership.isPaidEra ? "paid" : "free", default: 0] += 1
            }
        }
    }
}

extension Truth.Totals {
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
    fileprivate mutating func count(_ minted: SignedChunk) {
        lines += minted.submissions.count
        submissions += minted.submissions.reduce(0) { $0 + $1.distinctDocuments.count }
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

    private mutating func count(_ purchase: SignedChunk.LatestPurchase) {
        let transaction = purchase.newest.transaction
        if transaction.isFamilyShared { familyShared += 1 }
        if transaction.isRenewal { renewedPeriods += 1 }
        if let offer = transaction.offer {
            let environment = transaction.customer.environmentName
            purchasesByOfferType[environment, default: [:]][String(offer.type), default: 0] += 1
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
