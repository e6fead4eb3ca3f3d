/// What a chunk's lines come to, settled from what was planted.
struct ChunkTruth: Sendable {
    private(set) var receipts: [ReceiptTruth] = []
    private(set) var purchases: [PurchaseTruth] = []
    private(set) var totals = Truth.Totals()
    /// Bundle identifier → era → accounts.
    private(set) var accountsByEra: [String: [String: Int]] = [:]

    init(_ chunk: MintedChunk) {
        var presented: [String: Presented] = [:]
        var order: [String] = []
        for submission in chunk.submissions {
            totals.lines += 1
            if let rejection = submission.defect?.rejection {
                totals.rejections[rejection, default: 0] += 1
                continue
            }
            totals.submissions += 1
            totals.submissionsByVerdict[submission.receipt.verdict.rawValue, default: 0] += 1
            totals.submissionsByDeviceCheck[submission.deviceCheck.rawValue, default: 0] += 1
            let sha256 = submission.receipt.sha256
            if presented[sha256] == nil { order.append(sha256) }
            presented[sha256, default: Presented(submission.receipt)].add(submission)
        }
        let distinct = order.compactMap { presented[$0] }
        receipts = distinct.map { ReceiptTruth($0.receipt) }
        count(distinct)
        settlePurchases(distinct.filter { $0.receipt.verdict == .trusted })
        countAccounts(chunk.submissions)
    }

    private struct Presented {
        let receipt: MintedReceipt
        var firstSeenAt: CalendarTime?
        var lastSeenAt: CalendarTime?
        /// Devices that a hash can be checked for.
        var devices: Set<String> = []

        init(_ receipt: MintedReceipt) {
            self.receipt = receipt
        }

        mutating func add(_ submission: Submission) {
            let at = submission.statedAt ?? submission.receipt.claims.createdAt
            firstSeenAt = min(firstSeenAt ?? at, at)
            lastSeenAt = max(lastSeenAt ?? at, at)
            if let device = submission.deviceID, [.match, .mismatch].contains(submission.deviceCheck) {
                devices.insert(device)
            }
        }
    }

    private mutating func count(_ distinct: [Presented]) {
        var lineages: [String: Int] = [:]
        var claimed: [String: Set<String>] = [:]
        for presented in distinct {
            let receipt = presented.receipt
            totals.receipts += 1
            totals.receiptsByVerdict[receipt.verdict.rawValue, default: 0] += 1
            totals.receiptsByDigestAlgorithm[receipt.digest.rawValue, default: 0] += 1
            totals.receiptPurchases += receipt.claims.transactions.count
            if receipt.verdict == .trusted {
                totals.trustedReceiptsByEnvironment[receipt.claims.environment, default: 0] += 1
                lineages[receipt.claims.bundleID + receipt.claims.lineage, default: 0] += 1
                if presented.devices.count > 1 { totals.sharedReceipts += 1 }
            } else {
                for transaction in receipt.claims.transactions {
                    claimed[receipt.verdict.rawValue, default: []].insert(Self.key(transaction, receipt.claims))
                }
            }
        }
        totals.claimedPurchases = claimed.mapValues(\.count)
        totals.lineages = lineages.count
        totals.refreshedLineages = lineages.values.count { $0 > 1 }
    }

    private mutating func settlePurchases(_ trusted: [Presented]) {
        struct Told {
            var transaction: Transaction
            var receipt: MintedReceipt
            var firstSeenAt: CalendarTime
            var lastSeenAt: CalendarTime
        }
        var latest: [String: Told] = [:]
        var order: [String] = []
        for presented in trusted {
            let receipt = presented.receipt
            let created = receipt.claims.createdAt
            let (first, last) = (presented.firstSeenAt ?? created, presented.lastSeenAt ?? created)
            for transaction in receipt.claims.transactions {
                let key = Self.key(transaction, receipt.claims)
                guard var told = latest[key] else {
                    latest[key] = Told(transaction: transaction, receipt: receipt, firstSeenAt: first, lastSeenAt: last)
                    order.append(key)
                    continue
                }
                told.firstSeenAt = min(told.firstSeenAt, first)
                told.lastSeenAt = max(told.lastSeenAt, last)
                if (told.receipt.claims.createdAt, told.receipt.sha256) < (created, receipt.sha256) {
                    told.transaction = transaction
                    told.receipt = receipt
                }
                latest[key] = told
            }
        }
        for told in order.compactMap({ latest[$0] }) {
            totals.purchases += 1
            totals.purchasesByProductType[String(told.transaction.product.kind.rawValue), default: 0] += 1
            if told.transaction.canceledAt != nil { totals.canceledPurchases += 1 }
            purchases.append(
                PurchaseTruth(
                    told.transaction, told.receipt, firstSeenAt: told.firstSeenAt, lastSeenAt: told.lastSeenAt))
        }
    }

    private mutating func countAccounts(_ submissions: [Submission]) {
        var counted: Set<String> = []
        for submission in submissions {
            guard submission.defect?.rejection == nil, submission.receipt.verdict == .trusted,
                submission.deviceCheck != .mismatch, !submission.receipt.claims.isSandbox,
                let account = submission.accountID,
                counted.insert(account + submission.receipt.claims.environment).inserted
            else { continue }
            let era = submission.receipt.isPaidEra ? "paid" : "free"
            accountsByEra[submission.receipt.claims.bundleID, default: [:]][era, default: 0] += 1
        }
    }

    private static func key(_ transaction: Transaction, _ claims: ReceiptClaims) -> String {
        claims.environment + " " + claims.bundleID + " " + String(transaction.id)
    }
}

extension MintedReceipt {
    /// Whether the app still had a price when the owner got it.
    fileprivate var isPaidEra: Bool {
        claims.app.release(at: claims.originallyPurchasedAt) < claims.app.firstFreeRelease
    }
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
    init(_ transaction: Transaction, _ receipt: MintedReceipt, firstSeenAt: CalendarTime, lastSeenAt: CalendarTime) {
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
            promotionalOfferId: transaction.promotionalOfferID, firstSeenAt: firstSeenAt.wholeSeconds,
            lastSeenAt: lastSeenAt.wholeSeconds, receiptSha256: receipt.sha256)
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
        deviceId = submission.deviceID
        accountId = submission.accountID
        submittedAt = submission.statedAt?.wholeSeconds
    }
}

extension Truth.Totals {
    static func += (left: inout Self, right: Self) {
        func merge(_ counts: inout [String: Int], _ more: [String: Int]) { counts.merge(more, uniquingKeysWith: +) }
        left.lines += right.lines
        left.submissions += right.submissions
        merge(&left.rejections, right.rejections)
        merge(&left.submissionsByVerdict, right.submissionsByVerdict)
        merge(&left.submissionsByDeviceCheck, right.submissionsByDeviceCheck)
        left.receipts += right.receipts
        merge(&left.receiptsByVerdict, right.receiptsByVerdict)
        merge(&left.trustedReceiptsByEnvironment, right.trustedReceiptsByEnvironment)
        merge(&left.receiptsByDigestAlgorithm, right.receiptsByDigestAlgorithm)
        left.purchases += right.purchases
        merge(&left.purchasesByProductType, right.purchasesByProductType)
        left.canceledPurchases += right.canceledPurchases
        merge(&left.claimedPurchases, right.claimedPurchases)
        left.receiptPurchases += right.receiptPurchases
        left.lineages += right.lineages
        left.refreshedLineages += right.refreshedLineages
        left.sharedReceipts += right.sharedReceipts
    }
}
