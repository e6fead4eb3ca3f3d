internal import Foundation
internal import TestSupport
internal import Testing

/// Who holds a purchase for which a refund is requested, and whose refunds and signals are evidence.
@Suite struct ConsumptionProofTests {
    private let folder: RefundRequestFolder

    init() throws { folder = try RefundRequestFolder() }

    @Test("A purchase that several accounts hold is left to a person, regardless of who consented")
    func severalAccounts() throws {
        let coins = folder.transaction(41)
        try folder.ingest([
            folder.presented(coins, by: "ann"), folder.presented(coins, by: "zed"),
            folder.notification("CONSUMPTION_REQUEST", "u-41", coins),
        ])
        for list in ["account\nann\n", "account\nann\nzed\n"] {
            let result = try folder.answers(list, folder.fourHoursLater[0], folder.fourHoursLater[1])
            #expect(result.output.isEmpty && result.status == 0)
            #expect(
                result.errors
                    == "receiptmill: 1 open request about a purchase that several accounts hold, for a person to decide\n"
            )
        }
    }

    @Test("A presenter of a copy can't consent, and does not prevent an answer for a customer who consents")
    func copy() throws {
        let (coins, others) = (folder.transaction(42), folder.transaction(43))
        try folder.ingest([
            folder.copied(coins, by: "mal"), folder.presented(coins, by: "ann"), folder.copied(coins, by: "eve"),
            folder.copied(others, by: "mal"),
            folder.notification("CONSUMPTION_REQUEST", "u-42", coins),
            folder.notification("CONSUMPTION_REQUEST", "u-43", others),
        ])
        let strangers = try folder.answers("account\nmal\neve\n", folder.fourHoursLater[0], folder.fourHoursLater[1])
        #expect(strangers.output.isEmpty)
        #expect(
            strangers.errors == """
                receiptmill: 1 open request without the customer's consent
                receiptmill: 1 open request of an account that consented, but that neither device nor app transaction \
                proves to be the holder

                """)
        #expect(
            try folder.bodies(folder.answers("account\nann\n", folder.fourHoursLater[0], folder.fourHoursLater[1])).keys
                .sorted() == [
                    "20000000000042"
                ])
    }

    @Test("A stranger's purchases and refunds are not evidence about a customer")
    func strangersRefunds() throws {
        let coins = folder.transaction(44, more: ",\"appAccountToken\":\"\(RefundRequestFolder.token)\"")
        let refunds = [45, 46].map {
            folder.transaction(
                $0,
                more:
                    ",\"revocationDate\":\(RefundRequestFolder.asked - 5 * RefundRequestFolder.day),\"revocationReason\":0,"
                    + "\"appAccountToken\":\"\(RefundRequestFolder.token)\"")
        }
        // The stranger comes first, so that the models take the stranger for the customer.
        try folder.ingest(
            [folder.copied(coins, by: "mal")] + refunds.map { try folder.presented($0, by: "mal") }
                + [folder.presented(coins, by: "ann"), folder.notification("CONSUMPTION_REQUEST", "u-44", coins)])
        for list in ["account\nann\n", "app_account_token\n\(RefundRequestFolder.token)\n"] {
            let result = try folder.answers(list, folder.fourHoursLater[0], folder.fourHoursLater[1])
            #expect(
                result.output.contains(#""rule":"coins""#) && result.output.contains(#""purchases":1,"refunds":0,"#))
        }
    }

    @Test("The copies that strangers present are no signals against a customer")
    func strangersSignals() throws {
        let coins = folder.transaction(53, more: ",\"appAccountToken\":\"\(RefundRequestFolder.token)\"")
        let copies = try (1...25).map { _ in try folder.copied(coins, by: "mal") } + [folder.copied(coins, by: "eve")]
        try folder.ingest(copies + [folder.notification("CONSUMPTION_REQUEST", "u-53", coins)])
        let result = try folder.answers(
            "app_account_token\n\(RefundRequestFolder.token)\n", folder.fourHoursLater[0], folder.fourHoursLater[1])
        #expect(result.output.contains(#""rule":"coins""#) && result.output.contains(#""signals":[]"#), "\(result)")
    }

    @Test("A customer's former refunds are evidence, found by the account's device and by the app transaction")
    func formerRefunds() throws {
        let refunded =
            ",\"revocationDate\":\(RefundRequestFolder.asked - 5 * RefundRequestFolder.day),\"revocationReason\":0"
        let app = ",\"appTransactionId\":\"app-47\""
        try folder.ingest([
            folder.presented(folder.transaction(47), by: "ann"),
            folder.presented(folder.transaction(48, more: refunded), by: "ann"),
            folder.notification("CONSUMPTION_REQUEST", "u-47", folder.transaction(47)),
            folder.notification("CONSUMPTION_REQUEST", "u-49", folder.transaction(49, more: app)),
            folder.notification("REFUND", "u-50", folder.transaction(50, more: app + refunded)),
            folder.notification("REFUND_DECLINED", "u-52", folder.transaction(52, more: app)),
        ])
        let result = try folder.answers(
            "account,app_transaction_id\nann,\n,app-47\n", folder.fourHoursLater[0], folder.fourHoursLater[1])
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(#""rule":"habit""#) == $0.contains("0047") })
        #expect(
            lines.contains { $0.contains(#""purchases":2,"refunds":1,"refund_share":0.5,"#) && $0.contains("0047") })
        // One refund of three purchases is below the rule's half.
        #expect(lines.contains { $0.contains(#""purchases":3,"refunds":1,"refund_share":0.3333,"#) })
    }

    @Test("An account holds a purchase by its app transaction, or as the purchase's token")
    func otherProofs() throws {
        let app = ",\"appTransactionId\":\"app-53\""
        let coins = folder.transaction(53, more: app)
        let opened = """
            {"receiptType":"Production","appAppleId":531412,"bundleId":"com.example.app","applicationVersion":"1.2.3",\
            "versionExternalIdentifier":512,"receiptCreationDate":\(RefundRequestFolder.asked - RefundRequestFolder.day),\
            "originalPurchaseDate":1729980000000,"originalApplicationVersion":"1.1.2","appTransactionId":"app-53",\
            "originalPlatform":"iOS"}
            """
        let named = folder.transaction(54, more: ",\"appAccountToken\":\"\(RefundRequestFolder.token.lowercased())\"")
        try folder.ingest([
            folder.copied(coins, by: "mal"), folder.copied(coins, by: "ann"), folder.presented(opened, by: "ann"),
            folder.notification("CONSUMPTION_REQUEST", "u-53", coins),
            folder.notification("CONSUMPTION_REQUEST", "u-54", named),
        ])
        func answered(_ account: String) throws -> [String] {
            try folder.bodies(
                folder.answers("account\n\(account)\n", folder.fourHoursLater[0], folder.fourHoursLater[1])
            ).keys.sorted()
        }
        #expect(try answered("mal") == [])
        #expect(try answered("ann") == ["20000000000053"])
        #expect(try answered(RefundRequestFolder.token) == ["20000000000054"])
    }
}
