extension Truth {
    /// Adds what a chunk of signed strings counts. No document, purchase or account occurs in two chunks.
    mutating func add(_ minted: SignedChunkTruth) {
        totals.count(minted)
        signed?.count(minted)
        of2026?.add(minted.chunk.truth2026)
        var counted: Set<String> = []
        for submission in minted.chunk.submissions where submission.defect?.rejection == nil {
            for document in submission.distinctDocuments where document.verdict == .trusted {
                guard case .app(let claims) = document.claims, !claims.customer.isSandbox,
                    submission.deviceCheck(of: document) != .mismatch, let account = submission.accountID,
                    counted.insert(account).inserted,
                    let app = apps.firstIndex(where: { $0.bundleId == claims.customer.app.bundleID })
                else { continue }
                apps[app].accountsByEra[claims.isPaidEra ? "paid" : "free", default: 0] += 1
            }
        }
    }
}

extension Truth.Totals {
    fileprivate mutating func count(_ minted: SignedChunkTruth) {
        lines += minted.chunk.submissions.count
        for submission in minted.chunk.submissions {
            if let rejection = submission.defect?.rejection {
                rejections[rejection, default: 0] += 1
                continue
            }
            for case let reason? in submission.numberedDocuments.map(\.rejection) {
                rejections[reason, default: 0] += 1
            }
            for document in submission.distinctDocuments {
                submissions += 1
                submissionsByVerdict[document.verdict.rawValue, default: 0] += 1
                submissionsByDeviceCheck[submission.deviceCheck(of: document).rawValue, default: 0] += 1
            }
        }
        var claimed: Set<String> = []
        for presented in minted.documents {
            let (document, verdict) = (presented.document, presented.document.verdict.rawValue)
            receipts += 1
            receiptsByVerdict[verdict, default: 0] += 1
            receiptsByDigestAlgorithm[Digest.sha256.rawValue, default: 0] += 1
            receiptPurchases += document.claims.transactionIDs.count
            if presented.isTrusted {
                trustedReceiptsByEnvironment[document.claims.environmentName, default: 0] += 1
            } else if case .transaction(let claims) = document.claims, claimed.insert(verdict + claims.key).inserted {
                claimedPurchases[verdict, default: 0] += 1
            }
        }
        purchases += minted.purchases.count
        for purchase in minted.purchases {
            if purchase.newest.revocation != nil { canceledPurchases += 1 }
            purchasesByProductType[String(purchase.newest.transaction.product.kind.rawValue), default: 0] += 1
        }
    }
}

extension Truth.SignedTotals {
    fileprivate mutating func count(_ minted: SignedChunkTruth) {
        lines += minted.chunk.submissions.count
        for submission in minted.chunk.submissions where submission.defect?.rejection == nil {
            submissions += submission.distinctDocuments.count
        }
        for presented in minted.documents {
            documents[presented.document.claims.kind, default: [:]][presented.document.verdict.rawValue, default: 0] +=
                1
            if presented.isPart { parts += 1 }
        }
        renewals += minted.renewals.count
        for notification in minted.notifications { notifications[notification.claims.typeName, default: 0] += 1 }
        purchases += minted.purchases.count
        for purchase in minted.purchases {
            let transaction = purchase.newest.transaction
            if transaction.isFamilyShared { familyShared += 1 }
            if transaction.isRenewal { renewedPeriods += 1 }
            guard let offer = transaction.offer else { continue }
            purchasesByOfferType[transaction.customer.environmentName, default: [:]][String(offer.type), default: 0] +=
                1
        }
        for purchase in minted.purchases where !purchase.newest.transaction.customer.isSandbox {
            // Members' transactions repeat what the purchaser paid.
            guard purchase.newest.transaction.ownership != .assigned, let price = purchase.stated(\.amount),
                let currency = purchase.stated(\.currency)
            else { continue }
            var money = moneyByCurrency[currency] ?? Truth.Money()
            money.purchases += 1
            money.gross += price
            money.refunded += purchase.newest.refunded
            moneyByCurrency[currency] = money
        }
    }
}
