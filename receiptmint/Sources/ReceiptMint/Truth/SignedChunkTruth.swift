internal import Foundation
internal import MintSigning
internal import MintStore

/// What a chunk of signed strings comes to; see `ChunkTruth`.
struct SignedChunkTruth: Sendable {
    let chunk: SignedChunk
    let documents: [PresentedDocument]
    let purchases: [LatestPurchase]
    let renewals: [RenewalTruth]
    /// Distinct and trusted, as they were signed first.
    let notifications: [(claims: NotificationClaims, sha256: String)]
    let purchaseLines: [UInt8]
    /// Lines by the name of their file.
    let lines: [(name: String, lines: [UInt8])]

    /// A distinct document, and when it was presented, alone or inside another.
    struct PresentedDocument: Sendable {
        let document: SignedString
        var firstSeenAt, lastSeenAt: CalendarTime
        var isSubmitted = false
        var isPart = false

        var isTrusted: Bool { document.verdict == .trusted }
    }

    /// A distinct purchase of trusted documents.
    struct LatestPurchase: Sendable {
        /// By time of signing, of equal times by SHA-256: the last one wins.
        var states: [(claims: TransactionClaims, sha256: String)]
        var firstSeenAt, lastSeenAt: CalendarTime

        var newest: TransactionClaims { states[states.count - 1].claims }

        /// Of what doesn't change: as the newest document has it that states it.
        func stated<Value>(_ value: (TransactionClaims) -> Value?) -> Value? {
            for state in states.reversed() {
                if let value = value(state.claims) { return value }
            }
            return nil
        }
    }

    init(_ chunk: SignedChunk) throws {
        self.chunk = chunk
        documents = Self.distinctDocuments(chunk.submissions)
        purchases = Self.latestPurchases(documents)
        renewals = Self.latestRenewals(documents)
        notifications = Self.firstNotifications(documents)
        let encoder = JSONEncoder.ofTruth
        purchaseLines = try encoder.lines(purchases.map(PurchaseTruth.init))
        lines = [
            (MintRun.signedName, try encoder.lines(documents.map(SignedTruth.init))),
            (MintRun.renewalsName, try encoder.lines(renewals)),
            (
                MintRun.notificationsName,
                try encoder.lines(notifications.map { NotificationTruth($0.claims, sha256: $0.sha256) })
            ),
        ]
    }

    private static func distinctDocuments(_ submissions: [SignedSubmission]) -> [PresentedDocument] {
        var indices: [String: Int] = [:]
        var distinct: [PresentedDocument] = []
        func see(_ document: SignedString, at time: CalendarTime) -> Int {
            let index = indices[document.sha256] ?? distinct.count
            if index == distinct.count {
                indices[document.sha256] = index
                distinct.append(PresentedDocument(document: document, firstSeenAt: time, lastSeenAt: time))
            }
            distinct[index].firstSeenAt = min(distinct[index].firstSeenAt, time)
            distinct[index].lastSeenAt = max(distinct[index].lastSeenAt, time)
            return index
        }
        for submission in submissions where submission.defect?.rejection == nil {
            for document in submission.distinctDocuments {
                let time = submission.statedAt ?? document.claims.signedAt
                distinct[see(document, at: time)].isSubmitted = true
                for part in document.parts { distinct[see(part.document, at: time)].isPart = true }
            }
        }
        return distinct
    }

    private static func latestPurchases(_ documents: [PresentedDocument]) -> [LatestPurchase] {
        var indices: [String: Int] = [:]
        var latest: [LatestPurchase] = []
        for presented in documents where presented.isTrusted {
            guard case .transaction(let claims) = presented.document.claims else { continue }
            let state = (claims, presented.document.sha256)
            guard let index = indices[claims.key] else {
                indices[claims.key] = latest.count
                latest.append(
                    LatestPurchase(
                        states: [state], firstSeenAt: presented.firstSeenAt, lastSeenAt: presented.lastSeenAt))
                continue
            }
            latest[index].states.append(state)
            latest[index].firstSeenAt = min(latest[index].firstSeenAt, presented.firstSeenAt)
            latest[index].lastSeenAt = max(latest[index].lastSeenAt, presented.lastSeenAt)
        }
        for index in latest.indices {
            latest[index].states.sort { ($0.claims.signedAt, $0.sha256) < ($1.claims.signedAt, $1.sha256) }
        }
        return latest
    }

    /// In the order in which subscriptions first occur.
    private static func latestRenewals(_ documents: [PresentedDocument]) -> [RenewalTruth] {
        var indices: [String: Int] = [:]
        var latest: [(claims: RenewalClaims, sha256: String)] = []
        var bundles: [String: String] = [:]
        for presented in documents where presented.isTrusted {
            switch presented.document.claims {
            case .renewal(let claims):
                let index = indices[claims.key] ?? latest.count
                if index == latest.count {
                    indices[claims.key] = index
                    latest.append((claims, presented.document.sha256))
                }
                if (latest[index].claims.signedAt, latest[index].sha256)
                    < (claims.signedAt, presented.document.sha256)
                {
                    latest[index] = (claims, presented.document.sha256)
                }
            case .transaction(let claims): bundles[claims.subscriptionKey] = claims.transaction.customer.app.bundleID
            case .notification(let claims):
                for case .renewal(let renewal) in claims.parts.map(\.document.claims) {
                    bundles[renewal.key] = claims.app.bundleID
                }
            case .app: break
            }
        }
        return latest.map { RenewalTruth($0.claims, bundleID: bundles[$0.claims.key], sha256: $0.sha256) }
    }

    private static func firstNotifications(
        _ documents: [PresentedDocument]
    ) -> [(claims: NotificationClaims, sha256: String)] {
        var indices: [String: Int] = [:]
        var first: [(claims: NotificationClaims, sha256: String)] = []
        for presented in documents where presented.isTrusted {
            guard case .notification(let claims) = presented.document.claims else { continue }
            let (key, sha256) = (claims.environment + claims.uuid, presented.document.sha256)
            guard let index = indices[key] else {
                indices[key] = first.count
                first.append((claims, sha256))
                continue
            }
            let known = first[index]
            // Of those signed at once, the one with the greater SHA-256.
            if claims.signedAt < known.claims.signedAt
                || claims.signedAt == known.claims.signedAt && sha256 > known.sha256
            {
                first[index] = (claims, sha256)
            }
        }
        return first
    }
}

extension TransactionClaims {
    /// What a purchase is known by.
    var key: String {
        let customer = transaction.customer
        return customer.environmentName + " " + customer.app.bundleID + " " + String(transaction.id)
    }

    var subscriptionKey: String { transaction.customer.environmentName + " " + String(transaction.originalID) }
}

extension RenewalClaims {
    /// What a subscription is known by.
    var key: String { customer.environmentName + " " + String(originalID) }
}

extension SignedTruth {
    init(_ presented: SignedChunkTruth.PresentedDocument) {
        let document = presented.document
        self.init(
            receiptSha256: document.sha256, kind: document.claims.kind, verdict: document.verdict.rawValue,
            environment: document.claims.environmentName, bundleId: document.claims.bundleID,
            receiptCreationDate: document.claims.signedAt.wholeSeconds, signerCommonName: document.signer.commonName,
            bytes: document.text.count, appItemId: document.claims.appleID,
            transactionIds: document.claims.transactionIDs,
            parts: document.parts.isEmpty
                ? nil : Dictionary(uniqueKeysWithValues: document.parts.map { ($0.name, $0.document.sha256) }),
            isSubmitted: presented.isSubmitted)
        guard case .app(let claims) = document.claims else { return }
        appVersion = claims.appVersion
        originalApplicationVersion = claims.originalVersion
        originalPurchaseDate = claims.originallyPurchasedAt.wholeSeconds
        versionExternalIdentifier = claims.versionExternalID
        originalPlatform = claims.originalPlatform
    }
}

extension RenewalTruth {
    init(_ claims: RenewalClaims, bundleID: String?, sha256: String) {
        self.init(
            environment: claims.customer.environmentName, bundleId: bundleID,
            originalTransactionId: String(claims.originalID), productId: claims.product.id,
            autoRenewProductId: claims.nextProduct.id, autoRenewStatus: claims.willRenew ? 1 : 0,
            expirationIntent: claims.expirationIntent, isInBillingRetry: claims.isInBillingRetry ? 1 : nil,
            gracePeriodExpiresDate: claims.graceEndsAt?.wholeSeconds, renewalDate: claims.renewsAt.wholeSeconds,
            renewalPriceMilliunits: claims.price, currency: claims.currency, offerType: claims.offer?.type,
            offerId: claims.offer?.id, priceIncreaseStatus: claims.priceIncreaseStatus,
            recentSubscriptionStartDate: claims.startedAt.wholeSeconds, signedAt: claims.signedAt.wholeSeconds,
            receiptSha256: sha256)
    }
}

extension NotificationTruth {
    init(_ claims: NotificationClaims, sha256: String) {
        self.init(
            notificationUuid: claims.uuid, notificationType: claims.type, subtype: claims.subtype,
            signedAt: claims.signedAt.wholeSeconds, environment: claims.environmentName, bundleId: claims.app.bundleID,
            appAppleId: claims.appleID, status: claims.status,
            consumptionRequestReason: claims.consumptionRequestReason, receiptSha256: sha256)
        // The transaction stands before the renewal info.
        for (_, document) in claims.parts.reversed() where document.verdict == .trusted {
            switch document.claims {
            case .transaction(let claims):
                transactionId = String(claims.transaction.id)
                originalTransactionId = String(claims.transaction.originalID)
                productId = claims.transaction.product.id
            case .renewal(let claims):
                originalTransactionId = String(claims.originalID)
                productId = claims.product.id
            default: break
            }
        }
    }
}

extension PurchaseTruth {
    init(_ latest: SignedChunkTruth.LatestPurchase) {
        let claims = latest.newest
        let transaction = claims.transaction
        let offer = transaction.offer
        let revocation = claims.revocation
        let isTrial = offer?.discount == .freeTrial
        self.init(
            environment: transaction.customer.environmentName, bundleId: transaction.customer.app.bundleID,
            transactionId: String(transaction.id), originalTransactionId: String(transaction.originalID),
            productId: transaction.product.id, quantity: transaction.quantity,
            productType: transaction.product.kind.rawValue, purchaseDate: transaction.purchasedAt.wholeSeconds,
            originalPurchaseDate: transaction.originallyPurchasedAt.wholeSeconds,
            expiresDate: transaction.expiresAt?.wholeSeconds, cancellationDate: revocation?.at.wholeSeconds,
            webOrderLineItemId: transaction.webOrderLineItemID, isTrialPeriod: isTrial ? 1 : 0,
            isInIntroOfferPeriod: offer?.type == 1 && !isTrial ? 1 : 0,
            promotionalOfferId: offer?.type == 2 ? offer?.id : nil, firstSeenAt: latest.firstSeenAt.wholeSeconds,
            lastSeenAt: latest.lastSeenAt.wholeSeconds, receiptSha256: latest.states[latest.states.count - 1].sha256)
        priceMilliunits = latest.stated(\.price)
        currency = latest.stated(\.currency)
        storefront = transaction.customer.storefront.country
        ownership = claims.ownership
        offerType = offer?.type
        offerId = offer?.id
        offerDiscountType = offer?.discount.rawValue
        offerPeriod = latest.stated(\.offerPeriod)
        transactionReason = claims.reason
        isUpgraded = claims.isUpgraded ? 1 : nil
        revocationReason = revocation?.reason
        revocationType = claims.revocationType
        revokedShare = claims.revocationPercentage.map { Double($0) / 100_000 }
        subscriptionGroupId = claims.subscriptionGroup
        appAccountToken = transaction.customer.appAccountToken
        appTransactionId = latest.stated(\.appTransactionID)
    }
}

extension LineTruth {
    init(_ submission: SignedSubmission, archive: String, line: Int) {
        let form = submission.form.hasContext ? submission.layout.rawValue : submission.form.rawValue
        self.init(archive: archive, line: line, form: form, defect: submission.defect?.rawValue)
        rejection = submission.defect?.rejection
        guard rejection == nil else { return }
        let documents = submission.distinctDocuments.map {
            Document(
                receiptSha256: $0.sha256, kind: $0.claims.kind, verdict: $0.verdict.rawValue,
                deviceCheck: submission.deviceCheck(of: $0).rawValue)
        }
        receiptSha256 = documents[0].receiptSha256
        kind = documents[0].kind
        verdict = documents[0].verdict
        deviceCheck = documents[0].deviceCheck
        role = submission.role?.rawValue
        if documents.count > 1 { self.documents = documents }
        let unreadable = submission.numberedDocuments.enumerated().compactMap { index, document in
            document.rejection.map { Unreadable(document: index + 1, reason: $0) }
        }
        if !unreadable.isEmpty { self.unreadable = unreadable }
        deviceId = submission.deviceID
        accountId = submission.accountID
        submittedAt = submission.statedAt?.wholeSeconds
    }
}
