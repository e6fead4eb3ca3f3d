/// What a chunk of signed strings comes to.
extension SignedChunk {
    /// A distinct document, and when it was presented, alone or inside another.
    struct PresentedString: Sendable {
        let document: SignedString
        var seen: Seen
        var isSubmitted = false
        var isPart = false
    }

    /// What one document states.
    struct State<Claims: SignedClaims>: Sendable {
        let claims: Claims
        let sha256: String
        let seen: Seen

        /// Of documents that were signed at once, the one with the maximum SHA-256 is the newer one.
        static func < (left: Self, right: Self) -> Bool {
            (left.claims.signedAt, left.sha256) < (right.claims.signedAt, right.sha256)
        }
    }

    /// A distinct purchase of trusted documents.
    struct LatestPurchase: Sendable {
        /// By time.
        var states: [State<TransactionClaims>] = []

        var seen: Seen { states.reduce(into: states[0].seen) { $0.add($1.seen) } }
        var newest: TransactionClaims { states[states.count - 1].claims }

        /// Of what doesn't change: as the newest document has it that states it.
        func stated<Value>(_ value: (TransactionClaims) -> Value?) -> Value? {
            for state in states.reversed() {
                if let value = value(state.claims) { return value }
            }
            return nil
        }
    }

    /// A subscription's newest trusted renewal info, and the bundle that others state of the subscription.
    typealias LatestRenewal = (state: State<RenewalClaims>, bundleID: String?)

    static func distinctDocuments(_ submissions: [SignedSubmission]) -> [PresentedString] {
        var distinct = Distinct<PresentedString>()
        func see(_ document: SignedString, at time: CalendarTime, _ how: WritableKeyPath<PresentedString, Bool>) {
            let first = PresentedString(document: document, seen: Seen(time))
            distinct[document.sha256, default: first].seen.add(Seen(time))
            distinct[document.sha256, default: first][keyPath: how] = true
        }
        for submission in submissions {
            for document in submission.distinctDocuments {
                let time = submission.statedAt ?? document.claims.signedAt
                see(document, at: time, \.isSubmitted)
                for part in document.parts { see(part.document, at: time, \.isPart) }
            }
        }
        return distinct.values
    }

    /// The trusted documents of a kind.
    private static func states<Claims: SignedClaims>(
        _ kind: Claims.Type, of documents: [PresentedString]
    ) -> [State<Claims>] {
        documents.compactMap { presented in
            guard presented.document.isTrusted, let claims = presented.document.claims as? Claims else { return nil }
            return State(claims: claims, sha256: presented.document.sha256, seen: presented.seen)
        }
    }

    static func latestPurchases(_ documents: [PresentedString]) -> [LatestPurchase] {
        var latest = Distinct<LatestPurchase>()
        for state in states(TransactionClaims.self, of: documents) {
            latest[state.claims.key, default: LatestPurchase()].states.append(state)
        }
        return latest.values.map { LatestPurchase(states: $0.states.sorted { $0 < $1 }) }
    }

    /// In the order in which subscriptions first occur.
    static func latestRenewals(_ documents: [PresentedString]) -> [LatestRenewal] {
        var latest = Distinct<State<RenewalClaims>>()
        for state in states(RenewalClaims.self, of: documents) {
            let former = latest[state.claims.key, default: state]
            latest[state.claims.key, default: state] = state < former ? former : state
        }
        var bundles: [String: String] = [:]
        for presented in documents where presented.document.isTrusted {
            if let claims = presented.document.claims as? TransactionClaims {
                bundles[claims.subscriptionKey] = claims.bundleID
            }
            for case let renewal as RenewalClaims in presented.document.parts.map(\.document.claims) {
                bundles[renewal.key] = presented.document.claims.bundleID
            }
        }
        return latest.values.map { ($0, bundles[$0.claims.key]) }
    }

    static func firstNotifications(_ documents: [PresentedString]) -> [State<NotificationClaims>] {
        var first = Distinct<State<NotificationClaims>>()
        for state in states(NotificationClaims.self, of: documents) {
            let key = state.claims.environment + state.claims.uuid
            let known = first[key, default: state]
            // Of those signed at once, the one with the greater SHA-256.
            let isAtOnce = state.claims.signedAt == known.claims.signedAt
            first[key, default: state] = (isAtOnce ? known < state : state < known) ? state : known
        }
        return first.values
    }
}
