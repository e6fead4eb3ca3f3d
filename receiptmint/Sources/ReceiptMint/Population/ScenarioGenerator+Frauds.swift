/// Frauds that show in several submissions only, and claims that contradict themselves.
extension ScenarioGenerator<Submission> {
    /// Makes claims that contradict themselves, where the defect is one of these.
    mutating func contradict(_ claims: inout ReceiptClaims, by defect: Defect) {
        switch defect {
        case .purchaseAfterCreation:
            let late = bought(.nonConsumable, of: claims.app, at: claims.createdAt)
            claims.transactions.append(late.with { $0.purchasedAt = claims.createdAt + random.days(2...30) })
        case .expiryBeforePurchase:
            let ended = bought(.autoRenewable, of: claims.app, at: claims.createdAt - .days(1))
            claims.transactions.append(ended.with { $0.expiresAt = $0.purchasedAt - random.days(1...30) })
        case .originalVersionNewer:
            let original = claims.app.release(at: claims.customer.originallyPurchasedAt)
            claims.appVersion = claims.app.releases[original - 1].version
        default: break
        }
    }

    /// One genuine receipt, presented by its own device and by two to four others.
    mutating func sharedReceipt() throws -> [Submission] {
        var (owner, date) = owner()
        buy(max(1, min(10, purchaseCount())), for: &owner.customer, until: date)
        let stated = known(owner.customer.transactions, at: date)
        let receipt = try receipt(of: owner, at: date, stated)
        let held = submission(of: receipt, by: owner).with { $0.role = .holder }
        let stolen = (0..<random.int(2...4)).map { _ in steal(receipt, from: owner.customer) }
        return ([held] + stolen).marked(.sharedReceipt)
    }

    /// The older receipt of an installation, presented by other owners' devices alone;
    /// the newer by its own device.
    mutating func sharedLineage() throws -> [Submission] {
        var (owner, date) = owner()
        let refreshed = date + random.wholeHours(1...5)
        buy(min(10, purchaseCount()), for: &owner.customer, until: date)
        let stated = known(owner.customer.transactions, at: date)
        let older = try receipt(of: owner, at: date, stated)
        let newer = try receipt(of: owner, at: refreshed, stated)
        let held = submission(of: newer, by: owner).with { $0.role = .holder }
        return [held, steal(older, from: owner.customer), steal(older, from: owner.customer)].marked(.sharedLineage)
    }

    /// One store account serves three accounts of the app: each device restores,
    /// under a transaction of its own.
    mutating func sharedTransaction() throws -> [Submission] {
        let customer = customer(Customer.production)
        let date = creationDates(customer, count: 1)[0]
        let sold = bought(.nonConsumable, of: customer.app, at: date - .hours(1))
        let submissions = try (0..<3).map { index in
            let owner = installation(of: customer)
            let receipt = try receipt(of: owner, at: date, index == 0 ? [sold] : restore([sold], at: date))
            return submission(of: receipt, by: owner).with { $0.presenter.accountID = nextAccount() }
        }
        return submissions.marked(.sharedTransaction)
    }

    mutating func replayedConsumable() throws -> [Submission] {
        let (owner, date) = owner()
        let sold = bought(.consumable, of: owner.customer.app, at: date - .hours(1))
        let receipt = try receipt(of: owner, at: date, [sold])
        let submissions = present(receipt, by: owner, times: 3)
            .map { $0.with { $0.presenter.accountID = nextAccount() } }
        return submissions.marked(.replayedConsumable)
    }

    /// Bought, refunded, refreshed; then the receipt from before is sent again.
    mutating func refundedYetUsed() throws -> [Submission] {
        var (owner, date) = owner()
        date = min(date, Customer.lastReceipt - .days(130))
        let sold = bought(.nonConsumable, of: owner.customer.app, at: date - .hours(1))
        let before = try receipt(of: owner, at: date, [sold])
        let refundedAt = (date + .days(3)).truncated
        let refunded = sold.with { $0.canceledAt = refundedAt }
        let after = try receipt(of: owner, at: date + .days(10), [refunded])
        let again = submission(of: before, by: owner)
            .with { $0.at = refundedAt + random.days(61...120) }
        return [submission(of: before, by: owner), submission(of: after, by: owner)]
            + [again].marked(.refundedYetUsed)
    }

    mutating func versionBackwards() throws -> [Submission] {
        let (owner, date) = owner()
        let newer = try claims(owner, at: date, [])
        let older = try claims(owner, at: date + .hours(5), [])
            .with { $0.appVersion = owner.customer.originalVersion }
        return [submission(of: try issue(newer), by: owner)]
            + [submission(of: try issue(older), by: owner)].marked(.versionBackwards)
    }

    mutating func burst() throws -> [Submission] {
        let (owner, date) = owner()
        let receipt = try receipt(of: owner, at: date, [])
        var submission = submission(of: receipt, by: owner)
        submission.presenter.accountID = nextAccount()
        let submissions = (0..<20).map { _ in
            submission.at = submission.at + random.seconds(1...20)
            return submission
        }
        return submissions.marked(.burst)
    }

    /// A purchase of a product of a kind.
    private mutating func bought(_ kind: Product.Kind, of app: App, at time: CalendarTime) -> Transaction {
        let products = app.products.filter { $0.kind == kind }
        let id = numbers.next(at: time, sandbox: false)
        var transaction = Transaction(
            id: id, originalID: id, product: random.pick(products), purchasedAt: time, originallyPurchasedAt: time)
        if kind == .autoRenewable { transaction.webOrderLineItemID = numbers.nextLineItem(sandbox: false) }
        return transaction
    }

    /// A submission of a receipt by a device and an account that are not its own.
    private mutating func steal(_ receipt: MintedReceipt, from owner: Customer) -> Submission {
        let device = Device(platform: owner.app.platform, random: &random)
        let thief = Installation(customer: customer(Customer.production), device: device)
        return submission(of: receipt, by: thief).with {
            ($0.check, $0.role) = (.mismatch, .copier)
            $0.at = $0.at + random.days(1...90)
        }
    }

    /// A production customer's installation, and when the store made its receipt.
    private mutating func owner() -> (Installation, date: CalendarTime) {
        let owner = installation(of: customer(Customer.production))
        return (owner, creationDates(owner.customer, count: 1)[0])
    }
}
