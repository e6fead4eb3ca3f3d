/// Signed strings with a defect, and genuine ones in the wrong hands.
extension StoreScenarioGenerator {
    mutating func play(_ defect: SignedDefect) throws -> [SignedSubmission] {
        switch defect {
        case .replayedTransaction: try replayed()
        case .sharedAccountToken: try sharedToken()
        case .refundedYetPresented: try refundedYetPresented()
        case .forgedPart, .forgedNotification: [try forgedNotification(defect)]
        case .brokenAmongOthers: [try brokenAmongOthers()]
        default: [try solo(defect)]
        }
    }

    /// A purchase of a customer of its own, signed with the defect.
    private mutating func solo(_ defect: SignedDefect) throws -> SignedSubmission {
        let customer = customer(environment: defect == .sandboxPurchase ? "Sandbox" : "Production")
        let sold = bought(random.chance(0.5) ? .nonConsumable : .consumable, by: customer)
        var at = sold.purchasedAt + Int64(random.int(1_000...90_000))
        if defect == .signerOutOfDate {
            at = max(at, StoreAuthority.firstSignerEnd + random.wholeHours(2...60))
        }
        let needsDevice = defect == .otherDevice || defect == .invalidVerificationID
        let device = try verification(of: customer, if: needsDevice || random.chance(0.5))
        let claims = TransactionClaims(transaction: sold, signedAt: at, device: device)
        let carried = defect == .alteredPayload ? claims.with { $0.transaction.id = numbers.nextMadeUp() } : nil
        let document = try sign(claims, carrying: carried, flaw: defect)
        var line = submission(of: [document], by: customer)
        if defect == .otherDevice { line.presenter.deviceVerificationID = random.uuid() }
        if defect == .invalidVerificationID {
            line.presenter.deviceVerificationID = random.pick(["(null)", "unknown"])
        }
        line.defect = defect
        return line
    }

    /// A page of a customer's purchases, one of which can't be read.
    private mutating func brokenAmongOthers() throws -> SignedSubmission {
        let customer = customer()
        let broken = random.below(3)
        let documents = try (0..<3).map { index in
            let sold = bought(.consumable, by: customer)
            return try sign(
                TransactionClaims(transaction: sold, signedAt: sold.purchasedAt + 900),
                flaw: index == broken ? .brokenPayload : nil)
        }
        return submission(of: documents, by: customer)
            .with { ($0.layout, $0.defect) = (.history, .brokenAmongOthers) }
    }

    private mutating func bought(_ kind: Product.Kind, by customer: StoreCustomer) -> StoreTransaction {
        let product = random.pick(customer.app.products.filter { $0.kind == kind })
        return StoreTransaction(of: product, by: customer, at: customer.joinedAt, numbers: &numbers)
    }

    /// What scripts do that embed one customer's purchase: the same string for any account.
    private mutating func replayed() throws -> [SignedSubmission] {
        var owner = customer()
        owner.accountID = nextAccount()
        let sold = bought(.nonConsumable, by: owner)
        let document = try transaction(sold, at: sold.purchasedAt + 900, device: random.chance(0.5))
        let held = submission(of: [document], by: owner).with { $0.role = .holder }
        let copied = (1..<SignedDefect.replayedTransaction.linesEach).map { _ in
            ofOtherAccount(submission(of: [document], by: owner), of: owner.app).with {
                $0.presenter.deviceVerificationID = nil
                $0.role = .copier
                $0.at = $0.at + random.seconds(3_600...9_000_000)
            }
        }
        return ([held] + copied).marked(.replayedTransaction)
    }

    private mutating func sharedToken() throws -> [SignedSubmission] {
        var owner = customer()
        owner.appAccountToken = random.uuid()
        let lines = try (0..<SignedDefect.sharedAccountToken.linesEach).map { _ in
            let sold = bought(.consumable, by: owner)
            let document = try transaction(sold, at: sold.purchasedAt + 900)
            return ofOtherAccount(submission(of: [document], by: owner), of: owner.app)
        }
        return lines.marked(.sharedAccountToken)
    }

    private mutating func ofOtherAccount(_ line: SignedSubmission, of app: App) -> SignedSubmission {
        line.with {
            $0.presenter.accountID = nextAccount()
            $0.presenter.deviceID = Device(platform: app.platform, random: &random).text
        }
    }

    /// A purchase whose refund a notification states; then the string from before the refund is presented again.
    private mutating func refundedYetPresented() throws -> [SignedSubmission] {
        var sold = bought(.nonConsumable, by: customer())
        let first = submission(of: [try transaction(sold, at: sold.purchasedAt + 900)], by: sold.customer)
        let refundedAt = sold.purchasedAt + .days(5)
        sold.revocation = .init(at: refundedAt, reason: 0, kind: .full, percentage: 100_000)
        let claims = try notification("REFUND", about: sold, at: refundedAt + .hours(1))
        let again = first.with {
            ($0.at, $0.defect) = ((refundedAt + random.days(61...120)).truncated, .refundedYetPresented)
        }
        return [first, delivery(of: try sign(claims), statesTime: true), again]
    }

    private mutating func forgedNotification(_ defect: SignedDefect) throws -> SignedSubmission {
        let customer = customer()
        let product = random.pick(customer.app.products.filter { $0.kind == .autoRenewable })
        var sold = bought(.consumable, by: customer)
        let dollars = population.dollars(of: product, at: sold.purchasedAt)
        let price = customer.storefront.price(ofDollars: dollars)
        (sold.product, sold.price) = (product, price)
        sold.expiresAt = sold.purchasedAt + .days(product.periodDays)
        sold.webOrderLineItemID = numbers.nextLineItem(sandbox: false)
        var claims = try notification(
            "SUBSCRIBED/INITIAL_BUY", about: sold, renewal: RenewalClaims(of: sold, to: product, price: price),
            at: sold.purchasedAt + 2_000, status: 1)
        let document: SignedString
        if defect == .forgedPart {
            claims.parts[0].document = try sign(claims.parts[0].document.claims, flaw: .foreignRoot)
            document = try sign(claims)
        } else {
            document = try sign(claims, carrying: claims.with { $0.name = "DID_RENEW" }, flaw: .alteredPayload)
        }
        return delivery(of: document, statesTime: random.chance(0.5)).with { $0.defect = defect }
    }
}
