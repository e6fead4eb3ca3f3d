/// Plays what customers of StoreKit 2 do, and what the store's server tells of it.
///
/// As with receipts, nothing of one scenario occurs in another.
struct StoreScenarioGenerator {
    let authority: StoreAuthority
    var random: SeededRandom
    var numbers: TransactionNumbers
    /// Begins every account's name in this chunk.
    let accountPrefix: String
    var accounts = 0

    /// An ordinary customer's lines, in no order.
    mutating func ordinary(most: Int) throws -> [SignedSubmission] {
        let customer = customer()
        var lines: [SignedSubmission] = []
        for _ in 0..<random.int(1...4) {
            let sold = purchase(by: customer)
            lines.append(try present(sold, at: sold.purchasedAt + Int64(random.int(1...90_000))))
        }
        return Array(lines.prefix(most))
    }

    mutating func play(_ defect: SignedDefect) throws -> [SignedSubmission] {
        let customer = customer(environment: defect == .sandboxPurchase ? "Sandbox" : "Production")
        let sold = purchase(by: customer)
        var line = try present(sold, at: sold.purchasedAt + 1_000, flaw: defect)
        line.defect = defect
        return [line]
    }

    mutating func nextAccount() -> String {
        accounts += 1
        return accountPrefix + String(accounts)
    }

    mutating func customer(environment: String = "Production") -> StoreCustomer {
        let app = App.all[random.weighted(App.all.map(\.weight))]
        let span = StoreCustomer.lastSigning.milliseconds - StoreCustomer.firstSigning.milliseconds
        let joinedAt = StoreCustomer.firstSigning + Int64(random.below(Int(span - 40 * CalendarTime.day)))
        return StoreCustomer(
            app: app, environment: environment,
            storefront: Storefront.all[random.weighted(Storefront.all.map(\.weight))],
            appTransactionID: String(704_000_000_000_000_000 + Int64(random.next() >> 15)),
            appAccountToken: random.chance(0.6) ? random.uuid() : nil,
            accountID: random.chance(0.9) ? nextAccount() : nil,
            device: Device(platform: app.platform, random: &random), deviceVerificationID: random.uuid(),
            joinedAt: joinedAt.truncated)
    }

    mutating func purchase(by customer: StoreCustomer) -> StoreTransaction {
        let product = random.pick(customer.app.products.filter { $0.kind != .autoRenewable })
        let at = customer.joinedAt + Int64(random.below(Int(39 * CalendarTime.day)))
        let id = numbers.next(at: at, sandbox: customer.isSandbox)
        let quantity: Int64 = product.kind == .consumable && random.chance(0.1) ? 3 : 1
        return StoreTransaction(
            id: id, originalID: id, customer: customer, product: product, quantity: quantity, purchasedAt: at,
            originallyPurchasedAt: at, price: customer.storefront.price(ofDollars: product.dollars) * quantity)
    }

    /// A device hands in what it fetched.
    mutating func present(
        _ transaction: StoreTransaction, at time: CalendarTime, flaw: SignedDefect? = nil
    ) throws -> SignedSubmission {
        let customer = transaction.customer
        let verification =
            random.chance(0.5) ? try DeviceVerification(of: customer.deviceVerificationID, random: &random) : nil
        var signedAt = time
        if flaw == .signerOutOfDate {
            signedAt = max(time, StoreAuthority.firstSignerEnd + Int64(random.int(2...60)) * CalendarTime.hour)
        }
        let claims = TransactionClaims(transaction, signedAt: signedAt, device: verification)
        var carried: TransactionClaims?
        if flaw == .alteredPayload {
            carried = claims
            carried?.transaction.id = numbers.nextMadeUp()
        }
        let document = try SignedString(
            .transaction(claims), carrying: carried.map { .transaction($0) }, flaw: flaw, authority: authority,
            random: &random)
        return SignedSubmission(
            documents: [document],
            presentedBy: .init(
                accountID: customer.accountID, deviceID: random.chance(0.8) ? customer.device.text : nil,
                deviceVerificationID: verification != nil && random.chance(0.7) ? customer.deviceVerificationID : nil),
            at: (signedAt + Int64(random.int(1...20_000)) * CalendarTime.second).truncated)
    }
}
