/// Plays what customers do, and makes lines of it: of receipts, or of signed strings.
///
/// Each scenario returns lines whose documents, purchases and devices occur
/// in no other, so that the truth can be counted chunk by chunk.
struct ScenarioGenerator<Line: PresentedLine> {
    let parameters: MintParameters
    let authority: Authority
    var random: SeededRandom
    var numbers: TransactionNumbers
    /// Begins every account's name in this chunk.
    let accountPrefix: String
    var accounts = 0
    var population: Population { parameters.population }

    mutating func nextAccount() -> String {
        accounts += 1
        return accountPrefix + String(accounts)
    }
}

/// What customers do between buying an app and submitting its receipts.
extension ScenarioGenerator<Submission> {
    /// An ordinary customer: refreshed receipts, the same receipt sent again,
    /// perhaps a second device that restored the purchases.
    mutating func ordinary(most: Int) throws -> [Submission] {
        let environment = random.chance(0.01) ? Customer.volumePurchase : Customer.production
        var owner = installation(of: customer(environment))
        let dates = creationDates(owner.customer, count: 1 + random.weighted([55, 25, 12, 8]))
        guard let last = dates.last else { return [] }
        buy(purchaseCount(), for: &owner.customer, until: last)

        var submissions: [Submission] = []
        var previous: CalendarTime?
        for date in dates {
            let stated = known(owner.customer.transactions, at: date, since: previous)
            let receipt = try receipt(of: owner, at: date, stated)
            submissions += present(receipt, by: owner, times: 1 + random.weighted([75, 18, 7]))
            previous = date
        }
        let restorable = owner.customer.transactions.filter {
            $0.product.kind == .nonConsumable || $0.product.kind == .autoRenewable
        }
        if !restorable.isEmpty, random.chance(0.2), submissions.count < most {
            let other = installation(of: owner.customer)
            let date = min(last + random.days(1...60), Customer.lastReceipt + .days(1))
            let receipt = try receipt(of: other, at: date, restore(restorable, at: date))
            submissions.append(submission(of: receipt, by: other))
        }
        return Array(submissions.prefix(most))
    }

    /// A customer with one receipt that has a defect of its own.
    mutating func solo(_ defect: Defect) throws -> Submission {
        let customer =
            switch defect {
            case .sandbox: customer(Customer.sandbox)
            case .volumeLicenseExpired: customer(Customer.volumePurchase)
            case .unexpectedBundle: customer(Customer.production, of: .foreign)
            case .originalVersionNewer: customer(Customer.production, after: App.secondRelease)
            default: customer(Customer.production, iosOnly: defect == .serverIssued)
            }
        var owner = installation(of: customer)
        var date = creationDates(customer, count: 1)[0]
        if defect == .expiredSigner {
            date = Authority.firstSignerEnd + random.wholeHours(2...60)
            owner.customer = self.customer(Customer.production, before: date)
        }
        let count = defect == .sandbox ? random.int(0...6) : min(10, purchaseCount())
        buy(count, for: &owner.customer, until: date)
        var claims = try claims(owner, at: date, known(owner.customer.transactions, at: date))
        if defect == .serverIssued {
            claims.deviceHash = try Device.hash(
                identifier: Device.serverIdentifier, opaqueValue: claims.opaqueValue, bundleID: claims.bundleID)
        }
        contradict(&claims, by: defect)
        var submission = submission(of: try issue(claims, flaw: defect), by: owner)
        submission.defect = defect
        if defect == .serverIssued {
            submission.check = .serverIssued
            if random.chance(0.5) { submission.presenter.deviceID = nil }
        }
        if defect == .volumeLicenseExpired, let end = submission.receipt.claims.expiresAt {
            submission.at = end + random.days(1...60)
        }
        return submission
    }

    /// - Parameter app: in place of one that is drawn.
    mutating func customer(
        _ environment: String, of app: App? = nil, iosOnly: Bool = false,
        after start: CalendarTime = CalendarTime(2016, 4, 1), before: CalendarTime = Customer.lastReceipt
    ) -> Customer {
        let apps = population.apps.filter { !iosOnly || $0.platform == .ios }
        let app = app ?? random.pick(apps, by: \.weight)
        let end = before - .days(200)
        let joinedAt = start + Int64(random.below(Int(end.milliseconds - start.milliseconds)))
        return Customer(
            app: app, environment: environment, accountID: random.chance(0.9) ? nextAccount() : nil,
            joinedAt: joinedAt.truncated)
    }

    /// When the store made and refreshed a device's receipt, oldest first.
    /// Some refreshes fall on the very moment of the receipt before.
    mutating func creationDates(_ customer: Customer, count: Int) -> [CalendarTime] {
        let earliest = max(customer.joinedAt + .days(60), Customer.firstReceipt)
        let latest = min(customer.joinedAt + .days(1_400), Customer.lastReceipt)
        var date = time(between: earliest, and: max(earliest, latest))
        var dates = [date]
        while dates.count < count {
            if random.chance(0.95) {
                let next = date + random.days(1...120)
                date = max(date, time(between: date, and: min(next, Customer.lastReceipt)))
            }
            dates.append(date)
        }
        return dates
    }

    /// Most buy little, a few buy hundreds of times.
    mutating func purchaseCount() -> Int {
        if random.chance(0.015) { return random.chance(0.15) ? random.int(100...400) : random.int(11...80) }
        return random.weighted([14, 10, 11, 11, 10, 9, 8, 8, 7, 6, 6])
    }

    /// What a receipt of a time states: purchases until then, refunds known by
    /// then, and finished consumables only the first time.
    func known(
        _ transactions: [Transaction], at time: CalendarTime, since previous: CalendarTime? = nil
    ) -> [Transaction] {
        transactions.filter {
            $0.purchasedAt <= time && !($0.isFinished && $0.purchasedAt <= previous ?? CalendarTime(1970, 1, 1))
        }
        // Attribute 1712 as a receipt of a time can hold it: no later refund.
        .map { $0.with { if let canceledAt = $0.canceledAt, canceledAt > time { $0.canceledAt = nil } } }
    }

    /// A restored transaction has an identifier of its own; the original
    /// identifier and the web order line item stay.
    mutating func restore(_ transactions: [Transaction], at time: CalendarTime) -> [Transaction] {
        known(transactions, at: time).map {
            $0.with {
                $0.id = numbers.next(at: time, sandbox: false)
                if $0.product.kind == .nonConsumable { $0.purchasedAt = time }
            }
        }
    }

    mutating func installation(of customer: Customer) -> Installation {
        Installation(customer: customer, device: Device(platform: customer.app.platform, random: &random))
    }

    mutating func claims(
        _ owner: Installation, at date: CalendarTime, _ transactions: [Transaction]
    ) throws -> ReceiptClaims {
        let (customer, device) = (owner.customer, owner.device)
        return ReceiptClaims(
            customer: customer, appVersion: customer.app.releases[customer.app.release(at: date)].version,
            createdAt: date, downloadID: customer.isSandbox ? 0 : Int64(random.next() >> 12),
            opaqueValue: device.opaqueValue,
            deviceHash: try Device.hash(
                identifier: device.identifier, opaqueValue: device.opaqueValue, bundleID: customer.app.bundleID),
            transactions: transactions)
    }

    mutating func receipt(
        of owner: Installation, at date: CalendarTime, _ transactions: [Transaction]
    ) throws -> MintedReceipt {
        try issue(claims(owner, at: date, transactions))
    }

    mutating func issue(_ claims: ReceiptClaims, flaw: Defect? = nil) throws -> MintedReceipt {
        let bytes = SeededRandom(seed: random.next(), stream: "payload")
        let carried = flaw == .forgedSignature ? embellished(claims) : nil
        return try MintedReceipt(
            claims, carrying: carried, flaw: flaw, authority: authority, digest: parameters.digest, random: bytes)
    }

    /// The claims, and a purchase that was never paid for.
    private mutating func embellished(_ claims: ReceiptClaims) -> ReceiptClaims {
        let wanted = claims.app.products.first { $0.id.hasSuffix(".pro.lifetime") }
        let id = numbers.nextMadeUp()
        let unpaid = Transaction(
            id: id, originalID: id, product: wanted ?? random.pick(claims.app.products),
            purchasedAt: claims.createdAt, originallyPurchasedAt: claims.createdAt)
        return claims.with { $0.transactions.append(unpaid) }
    }

    mutating func submission(of receipt: MintedReceipt, by owner: Installation) -> Submission {
        present(receipt, by: owner, times: 1)[0]
    }

    mutating func present(_ receipt: MintedReceipt, by owner: Installation, times: Int) -> [Submission] {
        let presenter = Presenter(accountID: owner.customer.accountID, deviceID: owner.device.text)
        var at = receipt.claims.createdAt.truncated
        return (0..<times).map { time in
            at = at + .seconds(time == 0 ? random.int(2...20_000) : random.int(60...3_000_000))
            return Submission(receipt: receipt, presenter: presenter, at: at)
        }
    }
}
