internal import Foundation

/// What a chunk of signed strings comes to; see `ChunkTruth`.
struct SignedChunkTruth: Sendable {
    let chunk: SignedChunk
    let documents: [PresentedDocument]
    let purchases: [LatestPurchase]
    let renewals: [RenewalTruth]
    /// Distinct and trusted, as they were signed first.
    let notifications: [(claims: NotificationClaims, sha256: String)]
    /// What the store's reports are about; none unless they are written.
    private(set) var sales: [OwnSale] = []
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

    init(_ chunk: SignedChunk, forStoreReports: Bool) throws {
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
        if forStoreReports { sales = OwnSale.all(of: self) }
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
            case .app, .realtime: break
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
