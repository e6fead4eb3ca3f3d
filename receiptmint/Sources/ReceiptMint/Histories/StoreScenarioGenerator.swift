/// Plays what customers of StoreKit 2 do, and the notifications that the store's server sends of their purchases.
typealias StoreScenarioGenerator = ScenarioGenerator<SignedSubmission>

extension StoreScenarioGenerator {
    /// An ordinary customer's lines, by time.
    mutating func ordinary(most: Int) throws -> [SignedSubmission] {
        if random.chance(0.03) {
            let isTest = random.chance(0.7)
            let topic = isTest ? NotificationTopic.purchase : .summary(.init())
            return [try aside(isTest ? "TEST" : "RENEWAL_EXTENSION/SUMMARY", about: topic)]
        }
        let customer = customer()
        let history = history(of: customer)
        var lines: [SignedSubmission] = []
        if random.chance(0.35) { lines += try ownership(of: customer) }
        for event in history.observed where !population.logsPages || !event.isRoutine {
            lines += try self.lines(of: event, in: history)
        }
        if population.logsPages { lines += try pages(of: history) }
        lines += try answers(
            about: history, notifications: lines.filter { $0.documents[0].kind == NotificationClaims.kind })
        return Array(lines.stablySorted(by: \.at).prefix(most))
    }

    mutating func lines(of event: StoreHistory.Event, in history: StoreHistory) throws -> [SignedSubmission] {
        let sold = history.transactions[event.transaction]
        return try event.notice.map { try notified($0, event, sold) } ?? presented(event, sold)
    }

    mutating func customer(environment: String = "Production") -> StoreCustomer {
        let app = random.pick(population.apps, by: \.weight)
        let span = StoreCustomer.signingSpan - .days(population.daysWithoutNew)
        let joinedAt = StoreCustomer.firstSigning + population.moment(of: Int(span), &random)
        let age = random.chance(0.5) ? random.below(2_700) : 0
        return customer(
            of: app, in: environment, random.pick(population.storefronts, by: \.weight), tokens: 0.6, accounts: 0.9,
            installedAt: joinedAt - .days(age), joinedAt: joinedAt)
    }

    /// Another store account of the same family.
    mutating func member(of buyer: StoreCustomer) -> StoreCustomer {
        customer(
            of: buyer.app, in: buyer.environment, buyer.storefront, tokens: buyer.appAccountToken == nil ? 0 : 1,
            joinedAt: buyer.joinedAt)
    }

    /// - Parameters:
    ///   - tokens: how probable an `appAccountToken` is; nothing is drawn for 0 and 1.
    ///   - accounts: the same of an account.
    mutating func customer(
        of app: App, in environment: String = "Production", _ storefront: Storefront, tokens: Double,
        accounts: Double = 1, installedAt: CalendarTime? = nil, joinedAt: CalendarTime
    ) -> StoreCustomer {
        func happens(_ probability: Double) -> Bool {
            probability == 1 || probability > 0 && random.chance(probability)
        }
        return StoreCustomer(
            app: app, environment: environment, storefront: storefront,
            appTransactionID: String(704_000_000_000_000_000 + Int64(random.next() >> 15)),
            appAccountToken: happens(tokens) ? random.uuid() : nil,
            accountID: happens(accounts) ? nextAccount() : nil,
            device: Device(platform: app.platform, random: &random), deviceVerificationID: random.uuid(),
            installedAt: (installedAt ?? joinedAt).truncated, joinedAt: joinedAt.truncated)
    }

    /// What a tester bought: the archive has it as a purchase of the sandbox, the store's report as a sale.
    mutating func testFlight() throws -> SignedSubmission {
        let start = StoreReportPlan.first.advanced(by: StoreReportPlan.longestLag + 2)
        let days = start.distance(to: StoreReportPlan.last)
        let customer = customer(environment: "Sandbox")
        let product = random.pick(customer.app.products.filter { $0.kind != .autoRenewable })
        let at = (start.midnight + Int64(random.below(Int(days * CalendarTime.day)))).truncated
        let sold = StoreTransaction(of: product, by: customer, at: at, numbers: &numbers)
        return submission(of: [try transaction(sold, at: at + 900, device: true)], by: customer)
    }

    private mutating func history(of customer: StoreCustomer) -> StoreHistory {
        var history = StoreHistory(
            customer: customer, parameters: parameters,
            random: SeededRandom(seed: random.next(), stream: "history"), numbers: numbers)
        if random.chance(0.08) { history.family = (0..<random.int(1...2)).map { _ in member(of: customer) } }
        let subscriptions = customer.app.products.filter {
            $0.kind == .autoRenewable && $0.periodDays >= population.shortestPlanDays
        }
        let singles = customer.app.products.filter { $0.kind != .autoRenewable }
        if random.chance(0.75) {
            history.subscribe(to: random.pick(subscriptions), at: customer.joinedAt, periods: random.int(1...20))
        }
        var owned: Set<String> = []
        for _ in 0..<random.weighted([35, 30, 20, 15]) {
            let product = random.pick(singles)
            guard product.kind != .nonConsumable || owned.insert(product.id).inserted else { continue }
            history.buy(product, at: (customer.joinedAt + Int64(random.below(Int(300 * CalendarTime.day)))).truncated)
        }
        numbers = history.numbers
        return history
    }

    // MARK: What is signed

    /// - Parameter carried: what a forger put in place of what was signed.
    mutating func sign(
        _ claims: any SignedClaims, carrying carried: (any SignedClaims)? = nil, flaw: SignedDefect? = nil
    ) throws -> SignedString {
        try SignedString(claims, carrying: carried, flaw: flaw, authority: authority, random: &random)
    }

    /// - Parameter device: whether a device fetches it, so that it is bound to the device.
    mutating func transaction(
        _ transaction: StoreTransaction, at time: CalendarTime, device: Bool = false
    ) throws -> SignedString {
        let device = try verification(of: transaction.customer, if: device)
        return try sign(TransactionClaims(transaction: transaction, signedAt: time, device: device))
    }

    mutating func verification(of customer: StoreCustomer, if isBound: Bool) throws -> DeviceVerification? {
        isBound ? try DeviceVerification(of: customer.deviceVerificationID, random: &random) : nil
    }

    // MARK: Who hands it in

    /// A customer's app or its server, some seconds or hours after signing.
    mutating func submission(of documents: [SignedString], by customer: StoreCustomer) -> SignedSubmission {
        let verification = documents.contains { $0.claims.device != nil } && random.chance(0.8)
        let delay = random.chance(0.9) ? random.int(1...90) : random.int(90...40_000)
        var presenter = Presenter(accountID: customer.accountID)
        if random.chance(0.8) { presenter.deviceID = customer.device.text }
        if verification {
            let id = customer.deviceVerificationID
            presenter.deviceVerificationID = random.chance(0.5) ? id.uppercased() : id
        }
        let at = (documents[0].claims.signedAt + .seconds(delay)).truncated
        return SignedSubmission(documents: documents, presenter: presenter, at: at)
    }

    private mutating func ownership(of customer: StoreCustomer) throws -> [SignedSubmission] {
        var lines: [SignedSubmission] = []
        var at = customer.joinedAt + Int64(random.below(Int(CalendarTime.day)))
        for _ in 0..<random.int(1...2) where at <= StoreCustomer.lastSigning {
            let device = try verification(of: customer, if: random.chance(0.9))
            let document = try sign(AppClaims(customer: customer, signedAt: at, device: device))
            lines.append(submission(of: [document], by: customer))
            at = at + random.days(20...200)
        }
        return lines
    }

    private mutating func presented(
        _ event: StoreHistory.Event, _ sold: StoreTransaction
    ) throws -> [SignedSubmission] {
        let at = event.at.truncated + Int64(random.below(1_000))
        var documents = [try transaction(sold, at: at, device: random.chance(0.6))]
        if let renewal = event.renewal, random.chance(0.25) {
            let renewal = try sign(renewal.with { $0.signedAt = at })
            // Some servers log the renewal info alone.
            documents = random.chance(0.2) ? [renewal] : documents + [renewal]
        }
        var line = submission(of: documents, by: sold.customer)
        if documents.count > 1 { line.layout = .pair }
        guard random.chance(0.15) else { return [line] }
        return [line, line.with { $0.at = $0.at + random.seconds(60...3_000_000) }]
    }

    /// The store's server calls: no account, no device, and by most servers no time.
    func delivery(of document: SignedString, after seconds: Int64 = 1, statesTime: Bool) -> SignedSubmission {
        SignedSubmission(
            documents: [document], presenter: .init(),
            at: (document.claims.signedAt + .seconds(seconds)).truncated, statesTime: statesTime)
    }

    mutating func notification(
        _ name: String, about sold: StoreTransaction, renewal: RenewalClaims? = nil, at time: CalendarTime,
        status: Int64? = nil, reason: String? = nil
    ) throws -> NotificationClaims {
        // What is inside is signed within the same second.
        let innerAt = time.truncated + Int64(random.below(400))
        var parts = [("transaction", try transaction(sold, at: innerAt))]
        if let renewal { parts.append(("renewal", try sign(renewal.with { $0.signedAt = innerAt }))) }
        return NotificationClaims(
            name: name, uuid: random.uuid(), app: sold.customer.app, environment: sold.customer.environment,
            status: status, consumptionRequestReason: reason, unknownMembers: sold.unknownMembers, parts: parts,
            signedAt: time.truncated + 400 + Int64(random.below(600)))
    }

    private mutating func notified(
        _ name: String, _ event: StoreHistory.Event, _ sold: StoreTransaction
    ) throws -> [SignedSubmission] {
        let claims = try notification(
            name, about: sold, renewal: event.renewal, at: event.at, status: event.status, reason: event.reason)
        let document = try sign(claims)
        let statesTime = random.chance(0.4)
        var lines = [delivery(of: document, statesTime: statesTime)]
        guard random.chance(0.12) else { return lines }
        // Not answered in time, so sent again: as it was, or signed again under the same identifier.
        for hours in [1, 12, 24].prefix(random.int(1...3)) {
            if random.chance(0.7) {
                lines.append(delivery(of: document, after: Int64(hours) * 3_600, statesTime: statesTime))
            } else {
                let again = try sign(claims.with { $0.signedAt = $0.signedAt + .hours(hours) })
                lines.append(delivery(of: again, statesTime: statesTime))
            }
        }
        return lines
    }

    /// A notification that is about no purchase.
    private mutating func aside(_ name: String, about topic: NotificationTopic) throws -> SignedSubmission {
        let claims = NotificationClaims(
            name: name, uuid: random.uuid(), app: random.pick(population.apps), topic: topic,
            signedAt: StoreCustomer.firstSigning + Int64(random.below(Int(StoreCustomer.signingSpan))))
        return delivery(of: try sign(claims), statesTime: random.chance(0.4))
    }
}
