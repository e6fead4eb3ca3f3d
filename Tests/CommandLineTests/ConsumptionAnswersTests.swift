internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill consumption-answers`, from signed notifications to bodies for the store.
@Suite struct ConsumptionAnswersTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }

    private static let store = Result { try SignedStringStore() }
    /// 2024-10-27T03:33:20Z, when customers ask for refunds.
    private static let asked = SignedStringStore.signedAt
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour
    private static let token = "7E3C1A52-0B44-4D6E-9F10-AA55BB66CC77"

    private static let policy = """
        rules:
          - name: court
            when: {reasons: [LEGAL]}
            leave_open: true
          - name: habit
            when: {refunds: {at_least: 1}, refund_share: {at_least: 0.5}}
            answer: {delivery_status: DELIVERED, sample_content_provided: true, refund_preference: DECLINE}
          - name: subscriptions
            when: {kinds: [subscription], used_share: {at_most: 0.5}}
            answer:
              {delivery_status: DELIVERED, sample_content_provided: false, refund_preference: GRANT_PRORATED}
          - name: lost
            when: {reasons: [FULFILLMENT_ISSUE]}
            answer: {delivery_status: UNDELIVERED_SERVER_OUTAGE, sample_content_provided: false}
          - name: pass
            when: {products: [com.example.pass*]}
            answer:
              {delivery_status: DELIVERED, sample_content_provided: false, refund_preference: GRANT_PRORATED,
               consumed_over_days: 30}
          - name: coins
            when: {products: [com.example.coins]}
            answer: {delivery_status: DELIVERED, sample_content_provided: false, consumption_percentage: 33.5}

        """

    init() throws {
        workdir = try Workdir()
        try workdir.write(Self.policy, to: "policy.yaml")
        let root = Data(try Self.store.get().root.der).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        try workdir.write("-----BEGIN CERTIFICATE-----\n\(root)\n-----END CERTIFICATE-----\n", to: "root.pem")
    }

    // MARK: What is loaded

    /// The JSON of a transaction, bought ten days before the request.
    private func transaction(
        _ number: Int, _ product: String = "coins", type: String = "Consumable", price: Int64 = 9990, more: String = ""
    ) -> String {
        """
        {"transactionId":"200000000000\(number)","originalTransactionId":"200000000000\(number)",\
        "bundleId":"com.example.app","productId":"com.example.\(product)","purchaseDate":\(Self.asked - 10 * Self.day),\
        "quantity":1,"type":"\(type)","inAppOwnershipType":"PURCHASED","environment":"Production","price":\(price),\
        "currency":"EUR","storefront":"DEU","signedDate":\(Self.asked - 9 * Self.day)\(more)}
        """
    }

    private func notification(
        _ type: String, _ uuid: String, _ transaction: String, reason: String? = nil, after milliseconds: Int64 = 0
    ) throws -> String {
        let store = try Self.store.get()
        let stated = reason.map { "\"consumptionRequestReason\":\"\($0)\"," } ?? ""
        return try store.sign(
            """
            {"notificationType":"\(type)","notificationUUID":"\(uuid)","version":"2.0",\
            "signedDate":\(Self.asked + milliseconds),"data":{"bundleId":"com.example.app",\
            "environment":"Production",\(stated)"signedTransactionInfo":"\(try store.sign(transaction))"}}
            """)
    }

    /// A device and Apple's proof of it: SHA-384 over nonce and device, computed by OpenSSL's tool.
    private static let device = "0f9619ff-8b86-d011-b42d-00c04fc964ff"
    private static let proof = """
        ,"deviceVerificationNonce":"7EDEA87D-98F0-42D0-9682-49CA81022F73",\
        "deviceVerification":"gIRaH/opPHLS8AHKvII2QoTfikk/QV/pti6CjDH17nOPuBYDeg5FQlpqrAhOf+7D"}
        """

    /// A document that an account presents on the device that the document was made for.
    private func presented(_ document: String, by account: String) throws -> String {
        let signed = try Self.store.get().sign(document.dropLast() + Self.proof)
        return #"{"account_id":"\#(account)","device_verification_id":"\#(Self.device)","jws":"\#(signed)"}"#
    }

    /// A document that an account presents on an unknown device.
    private func copied(_ document: String, by account: String) throws -> String {
        #"{"account_id":"\#(account)","jws":"\#(try Self.store.get().sign(document))"}"#
    }

    private func ingest(_ lines: [String], _ options: String...) throws {
        let archive = try workdir.write(
            lines.map { $0.hasPrefix("{") ? $0 : "{\"jws\":\"\($0)\"}" }.joined(separator: "\n") + "\n",
            to: "\(lines.count)-\(options.count).jsonl")
        let result = try Mill.run(
            ["ingest", archive, "--trust", workdir.path("root.pem"), "--database", database, "--quiet"] + options)
        try #require(result.status == 0, "\(result)")
    }

    private func answers(_ consents: String, _ options: String...) throws -> Mill.Result {
        try Mill.run(
            [
                "consumption-answers", "--database", database, "--policy", workdir.path("policy.yaml"), "--consents",
                workdir.write(consents, to: "consents"),
            ] + options)
    }

    private func bodies(_ result: Mill.Result) throws -> [String: String] {
        try result.output.split(separator: "\n").reduce(into: [:]) { found, line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let start = try #require(line.firstRange(of: "\"body\":"), "\(line)").upperBound
            found["\(object["transaction_id"] ?? "")"] = String(line[start...].dropLast())
        }
    }

    private let fourHoursLater = ["--now", "2024-10-27T07:33:20Z"]

    // MARK: Tests

    @Test("Each open request of a customer who consented gets the body that the store takes")
    func bodies() throws {
        let subscription = transaction(
            11, "gold", type: "Auto-Renewable Subscription", more: ",\"expiresDate\":\(Self.asked + 20 * Self.day)")
        let coins = transaction(12, more: ",\"appAccountToken\":\"\(Self.token.lowercased())\"")
        let pass = transaction(
            13, "pass.month", type: "Non-Renewing Subscription", more: ",\"appTransactionId\":\"app-13\"")
        try ingest([
            presented(subscription, by: "ann"), presented(transaction(14), by: "bob"),
            notification("CONSUMPTION_REQUEST", "u-11", subscription, reason: "UNINTENDED_PURCHASE"),
            notification("CONSUMPTION_REQUEST", "u-12", coins), notification("CONSUMPTION_REQUEST", "u-13", pass),
            notification("CONSUMPTION_REQUEST", "u-14", transaction(14), reason: "FULFILLMENT_ISSUE"),
            notification("CONSUMPTION_REQUEST", "u-15", transaction(15)),
        ])
        let result = try answers(
            "app_transaction_id,account,app_account_token\n,ann,\napp-13,,\n,,\(Self.token)\n,bob,\n",
            fourHoursLater[0], fourHoursLater[1])
        #expect(result.status == 0)
        #expect(
            try bodies(result) == [
                // The store works out the share of a subscription, and refuses ours.
                "20000000000011": """
                {"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"DELIVERED",\
                "refundPreference":"GRANT_PRORATED"}
                """,
                "20000000000012": """
                {"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"DELIVERED",\
                "consumptionPercentage":33500}
                """,
                // Ten days of thirty.
                "20000000000013": """
                {"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"DELIVERED",\
                "consumptionPercentage":33333,"refundPreference":"GRANT_PRORATED"}
                """,
                "20000000000014": """
                {"customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"UNDELIVERED_SERVER_OUTAGE",\
                "consumptionPercentage":0}
                """,
            ])
        #expect(result.errors == "receiptmill: 1 open request without the customer's consent\n")
        #expect(!result.output.contains("0015"))
        #expect(
            result.output.hasPrefix(
                """
                {"notification_uuid":"u-11","environment":"Production","bundle_id":"com.example.app",\
                "transaction_id":"20000000000011","original_transaction_id":"20000000000011",\
                "product_id":"com.example.gold","reason":"UNINTENDED_PURCHASE","requested_at":"2024-10-27T03:33:20Z",\
                "hours_left":8,"former_answer_at":null,"rule":"subscriptions","evidence":{"kind":"subscription",\
                "purchased_at":"2024-10-17T03:33:20Z","expires_at":"2024-11-16T03:33:20Z","days_since_purchase":10,\
                "used_share":0.3333,"price":9.99,"currency":"EUR","customer_since":"2024-10-17T03:33:20Z",\
                "purchases":1,"refunds":0,"refund_share":0,\
                "money":[{"currency":"EUR","purchases":1,"paid":9.99,"refunded":0.00,"net":9.99}],"signals":[]},"body":
                """), "\(result.output)")
    }

    @Test("Requests that are decided, late, or none of the endpoint's get no answer; the newest request counts")
    func open() throws {
        let shared = ",\"appAccountToken\":\"\(Self.token)\""
        func mine(_ number: Int, _ more: String = "") -> String { transaction(number, more: shared + more) }
        func request(_ number: Int, _ transaction: String, after hours: Int64 = 0, reason: String? = nil) throws
            -> String
        {
            try notification(
                "CONSUMPTION_REQUEST", "u-\(number)-\(hours)", transaction, reason: reason, after: hours * Self.hour)
        }
        let family = mine(21).replacing("\"PURCHASED\"", with: "\"FAMILY_SHARED\"")
        let assigned = mine(22).replacing("\"PURCHASED\"", with: "\"ASSIGNED\"")
        let commerce = mine(
            23, ",\"advancedCommerceInfo\":{\"requestReferenceId\":\"r\",\"items\":[{\"SKU\":\"s\",\"price\":9990}]}")
        try ingest([
            request(21, family), request(22, assigned), request(23, commerce),
            request(24, mine(24)), notification("REFUND_DECLINED", "u-24", mine(24), after: Self.hour),
            request(25, mine(25)), notification("REFUND_DECLINED", "u-25", mine(25), after: Self.hour),
            request(25, mine(25), after: 2),
            request(26, mine(26)), request(26, mine(26), after: 11), request(27, mine(27)),
            request(28, mine(28), after: 3, reason: "LEGAL"),
            request(29, mine(29), after: 3).replacing("\n", with: ""),
            notification("REFUND", "u-29", mine(29), after: 4 * Self.hour),
        ])
        let consents = "{\"app_account_token\":\"\(Self.token)\"}\n"
        // Eleven and a half hours after the first requests.
        let result = try answers(consents, "--now", "2024-10-27T15:03:20Z")
        #expect(try bodies(result).keys.sorted() == ["20000000000025", "20000000000026", "20000000000027"])
        #expect(result.output.contains("\"hours_left\":0.5,") && result.output.contains("\"hours_left\":11.5,"))
        #expect(
            result.errors == """
                receiptmill: 1 open request that a rule leaves open, for a person to decide
                receiptmill: 2 open requests about a share of somebody else's purchase, of which the store takes no answer
                receiptmill: 1 open request of the Advanced Commerce API, which the first version of the endpoint answers

                """)
        let later = try answers(consents, "--now", "2024-10-27T15:33:20Z", "--quiet")
        #expect(try bodies(later).keys.sorted() == ["20000000000025", "20000000000026"])
        #expect(later.errors.isEmpty && later.status == 0)
        let all = try answers(consents, "--now", "2024-10-28T15:33:20Z", "--all", "--quiet", "--format", "text")
        #expect(
            all.output == """
                20000000000027  -24 h left  no preference  com.example.coins  no reason  by 'coins'
                20000000000025  -22 h left  no preference  com.example.coins  no reason  by 'coins'
                20000000000026  -13 h left  no preference  com.example.coins  no reason  by 'coins'

                """)
    }

    @Test("What was sent is recorded once, is not answered again, and is erased with the person")
    func sent() throws {
        let (own, other) = (transaction(31), transaction(32))
        try ingest([
            presented(own, by: "ann"), presented(other, by: "bob"), notification("CONSUMPTION_REQUEST", "u-31", own),
            notification("CONSUMPTION_REQUEST", "u-32", other),
        ])
        let consents = "account\nann\nbob\n"
        let written = try answers(consents, fourHoursLater[0], fourHoursLater[1])
        let file = try workdir.write(written.output, to: "sent.jsonl")
        func record(_ file: String) throws -> Mill.Result {
            try Mill.run(
                ["consumption-answers", "--database", database, "--sent", file, "--now", "2024-10-27T08:00:00Z"])
        }
        #expect(try record(file).output == "2 answers recorded, 0 known before\n")
        #expect(try record(file).output == "0 answers recorded, 2 known before\n")
        let rows = """
            SELECT environment, transaction_id, typeof(transaction_id), answered_at, delivery_status,
                consumption_percentage, refund_preference
            FROM consumption_answer ORDER BY 2
            """
        #expect(
            try Stored(database).lines(rows) == [
                "Production|20000000000031|integer|1730016000000|DELIVERED|33500|-",
                "Production|20000000000032|integer|1730016000000|DELIVERED|33500|-",
            ])
        let again = try answers(consents, fourHoursLater[0], fourHoursLater[1])
        #expect(again.output.isEmpty && again.errors.contains("2 open requests answered before"), "\(again)")
        let all = try answers(consents, "--all", "--quiet")
        #expect(all.output.contains("\"former_answer_at\":\"2024-10-27T08:00:00Z\""))
        let report = try Mill.run([
            "report", "refund-requests", "--database", database, "--param", "from=all", "--columns",
            "answer,requests,unanswered", "--format", "csv",
        ])
        #expect(report.output.contains("(no preference),2,2"), "\(report)")

        let stranger = try workdir.write(
            written.output.replacing("0000031\"", with: "0000099\""), to: "stranger.jsonl")
        let passed = try record(stranger)
        #expect(passed.status == 0 && passed.errors.contains("1 answer passed over"), "\(passed)")
        for (text, words) in [
            (
                "{\"environment\":\"Production\",\"body\":{\"deliveryStatus\":\"DELIVERED\"}}",
                "there is no transaction_id"
            ), ("no", "it is not JSON"),
            (
                "{\"environment\":\"Production\",\"transaction_id\":\"1\",\"body\":{\"deliveryStatus\":\"LOST\"}}",
                "the store has no deliveryStatus LOST"
            ),
        ] {
            let refused = try record(workdir.write(written.output + text + "\n", to: "bad.jsonl"))
            #expect(
                refused.status == 65 && refused.errors.contains("bad.jsonl:3: is no answer: \(words)"), "\(refused)")
        }

        let erased = try Mill.run(["erase", "--account", "ann", "--database", database])
        #expect(erased.status == 0 && erased.output.contains("1 answer to refund requests"), "\(erased)")
        #expect(try Stored(database).lines("SELECT transaction_id FROM consumption_answer") == ["20000000000032"])
        #expect(try Mill.run(["check", "--database", database]).status == 0)
    }

    @Test("A second answer to a request is recorded beside the first, and once")
    func secondAnswer() throws {
        try ingest([
            presented(transaction(71), by: "ann"), notification("CONSUMPTION_REQUEST", "u-71", transaction(71)),
        ])
        func record(_ text: String, at time: String) throws -> String {
            try Mill.run([
                "consumption-answers", "--database", database, "--sent", workdir.write(text, to: "sent.jsonl"), "--now",
                time,
            ]).output
        }
        let first = try answers("account\nann\n", fourHoursLater[0], fourHoursLater[1]).output
        #expect(try record(first, at: "2024-10-27T08:00:00.700Z") == "1 answer recorded, 0 known before\n")
        let second = try answers("account\nann\n", "--all", fourHoursLater[0], fourHoursLater[1]).output
            .replacing("\"deliveryStatus\":\"DELIVERED\"", with: "\"deliveryStatus\":\"UNDELIVERED_OTHER\"")
        for (time, words) in [("08:30:00Z", "1 answer recorded, 0"), ("09:00:00Z", "0 answers recorded, 1")] {
            #expect(try record(second, at: "2024-10-27T\(time)") == words + " known before\n")
        }
        #expect(try record(first, at: "2024-10-27T09:00:00Z") == "0 answers recorded, 1 known before\n")
        // A program that adds the moment to a line is believed.
        let stated = second.replacing("\"rule\":", with: "\"answered_at\":\"2024-10-27T08:40:00Z\",\"rule\":")
        #expect(try record(stated, at: "2024-10-27T09:00:00Z") == "1 answer recorded, 0 known before\n")
        #expect(
            try Stored(database).lines(
                "SELECT answered_at, delivery_status FROM consumption_answer ORDER BY answered_at") == [
                    "1730016000700|DELIVERED", "1730017800000|UNDELIVERED_OTHER", "1730018400000|UNDELIVERED_OTHER",
                ])
    }

    @Test("Hours that are left are rounded down, and are not 0 while a request is open")
    func hoursLeft() throws {
        try ingest([
            presented(transaction(81), by: "ann"), notification("CONSUMPTION_REQUEST", "u-81", transaction(81)),
        ])
        for (now, hours) in [
            ("03:34:02Z", "11.98"), ("14:33:21Z", "0.99"), ("15:32:19Z", "0.01"), ("15:32:20Z", "0.01"),
            ("15:33:19Z", "0.01"), ("15:33:20Z", "0"), ("15:33:21Z", "-0.01"), ("17:33:20Z", "-2"),
        ] {
            let result = try answers("account\nann\n", "--all", "--now", "2024-10-27T\(now)")
            #expect(result.output.contains("\"hours_left\":\(hours),"), "\(now) \(result)")
        }
    }

    @Test("A purchase that several accounts hold is left to a person, regardless of who consented")
    func severalAccounts() throws {
        let coins = transaction(41)
        try ingest([
            presented(coins, by: "ann"), presented(coins, by: "zed"),
            notification("CONSUMPTION_REQUEST", "u-41", coins),
        ])
        for list in ["account\nann\n", "account\nann\nzed\n"] {
            let result = try answers(list, fourHoursLater[0], fourHoursLater[1])
            #expect(result.output.isEmpty && result.status == 0)
            #expect(
                result.errors
                    == "receiptmill: 1 open request about a purchase that several accounts hold, for a person to decide\n"
            )
        }
    }

    @Test("A presenter of a copy can't consent, and does not prevent an answer for a customer who consents")
    func copy() throws {
        let (coins, others) = (transaction(42), transaction(43))
        try ingest([
            copied(coins, by: "mal"), presented(coins, by: "ann"), copied(coins, by: "eve"), copied(others, by: "mal"),
            notification("CONSUMPTION_REQUEST", "u-42", coins), notification("CONSUMPTION_REQUEST", "u-43", others),
        ])
        let strangers = try answers("account\nmal\neve\n", fourHoursLater[0], fourHoursLater[1])
        #expect(strangers.output.isEmpty)
        #expect(
            strangers.errors == """
                receiptmill: 1 open request without the customer's consent
                receiptmill: 1 open request of an account that consented, but that neither device nor app transaction \
                proves to be the holder

                """)
        #expect(
            try bodies(answers("account\nann\n", fourHoursLater[0], fourHoursLater[1])).keys.sorted() == [
                "20000000000042"
            ])
    }

    @Test("A stranger's purchases and refunds are not evidence about a customer")
    func strangersRefunds() throws {
        let coins = transaction(44, more: ",\"appAccountToken\":\"\(Self.token)\"")
        let refunds = [45, 46].map {
            transaction(
                $0,
                more: ",\"revocationDate\":\(Self.asked - 5 * Self.day),\"revocationReason\":0,"
                    + "\"appAccountToken\":\"\(Self.token)\"")
        }
        // The stranger comes first, so that the models take the stranger for the customer.
        try ingest(
            [copied(coins, by: "mal")] + refunds.map { try presented($0, by: "mal") }
                + [presented(coins, by: "ann"), notification("CONSUMPTION_REQUEST", "u-44", coins)])
        for list in ["account\nann\n", "app_account_token\n\(Self.token)\n"] {
            let result = try answers(list, fourHoursLater[0], fourHoursLater[1])
            #expect(
                result.output.contains(#""rule":"coins""#) && result.output.contains(#""purchases":1,"refunds":0,"#))
        }
    }

    @Test("The copies that strangers present are no signals against a customer")
    func strangersSignals() throws {
        let coins = transaction(53, more: ",\"appAccountToken\":\"\(Self.token)\"")
        let copies = try (1...25).map { _ in try copied(coins, by: "mal") } + [copied(coins, by: "eve")]
        try ingest(copies + [notification("CONSUMPTION_REQUEST", "u-53", coins)])
        let result = try answers("app_account_token\n\(Self.token)\n", fourHoursLater[0], fourHoursLater[1])
        #expect(result.output.contains(#""rule":"coins""#) && result.output.contains(#""signals":[]"#), "\(result)")
    }

    @Test("A customer's former refunds are evidence, found by the account's device and by the app transaction")
    func formerRefunds() throws {
        let refunded = ",\"revocationDate\":\(Self.asked - 5 * Self.day),\"revocationReason\":0"
        let app = ",\"appTransactionId\":\"app-47\""
        try ingest([
            presented(transaction(47), by: "ann"), presented(transaction(48, more: refunded), by: "ann"),
            notification("CONSUMPTION_REQUEST", "u-47", transaction(47)),
            notification("CONSUMPTION_REQUEST", "u-49", transaction(49, more: app)),
            notification("REFUND", "u-50", transaction(50, more: app + refunded)),
            notification("REFUND_DECLINED", "u-52", transaction(52, more: app)),
        ])
        let result = try answers(
            "account,app_transaction_id\nann,\n,app-47\n", fourHoursLater[0], fourHoursLater[1])
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
        let coins = transaction(53, more: app)
        let opened = """
            {"receiptType":"Production","appAppleId":531412,"bundleId":"com.example.app","applicationVersion":"1.2.3",\
            "versionExternalIdentifier":512,"receiptCreationDate":\(Self.asked - Self.day),\
            "originalPurchaseDate":1729980000000,"originalApplicationVersion":"1.1.2","appTransactionId":"app-53",\
            "originalPlatform":"iOS"}
            """
        let named = transaction(54, more: ",\"appAccountToken\":\"\(Self.token.lowercased())\"")
        try ingest([
            copied(coins, by: "mal"), copied(coins, by: "ann"), presented(opened, by: "ann"),
            notification("CONSUMPTION_REQUEST", "u-53", coins), notification("CONSUMPTION_REQUEST", "u-54", named),
        ])
        func answered(_ account: String) throws -> [String] {
            try bodies(answers("account\n\(account)\n", fourHoursLater[0], fourHoursLater[1])).keys.sorted()
        }
        #expect(try answered("mal") == [])
        #expect(try answered("ann") == ["20000000000053"])
        #expect(try answered(Self.token) == ["20000000000054"])
    }

    @Test("Under a key for pseudonyms the list has identifiers and the key, or pseudonyms")
    func pseudonyms() throws {
        let key = try workdir.write("0123456789abcdef0123456789abcdef", to: "key")
        let coins = transaction(51, more: ",\"appAccountToken\":\"\(Self.token)\"")
        try ingest(
            [presented(coins, by: "ann"), notification("CONSUMPTION_REQUEST", "u-51", coins)], "--pseudonym-key", key)
        let now = "2024-10-27T07:33:20Z"
        #expect(try answers("account\nann\n", "--now", now).output.isEmpty)
        for list in ["account\nann\n", "app_account_token\n\(Self.token)\n"] {
            #expect(try bodies(answers(list, "--now", now, "--pseudonym-key", key)).count == 1, "\(list)")
        }
        let stored = try #require(
            try Stored(database).lines("SELECT account_id FROM submission WHERE account_id IS NOT NULL").first)
        #expect(try bodies(answers("account\n\(stored)\n", "--now", now)).count == 1)
        let other = try workdir.write("fedcba9876543210fedcba9876543210", to: "other")
        let refused = try answers("account\nann\n", "--pseudonym-key", other)
        #expect(refused.status == 78 && refused.errors.contains("by another key"), "\(refused)")
    }

    @Test("A policy, a list or a database that can't be read is refused with its line")
    func refusals() throws {
        try ingest([presented(transaction(61), by: "ann")])
        for (list, words) in [
            ("name\nann\n", "consents:1: the first line names none of account, app_account_token, app_transaction_id"),
            ("account,app_account_token\nann,\n,\n", "consents:3: the line names nobody"),
            ("{\"account\":\"ann\"}\n{\"device\":\"x\"}\n", "consents:2: names no customer"),
        ] {
            let refused = try answers(list)
            #expect(refused.status == 65 && refused.errors.contains(words), "\(refused)")
        }
        let missing = try Mill.run([
            "consumption-answers", "--database", database, "--policy", workdir.path("none.yaml"), "--consents", "none",
        ])
        #expect(missing.status == 66 && missing.errors.contains("name a policy file"), "\(missing)")
        try workdir.write("rules:\n  - name: a\n    leave: true\n", to: "policy.yaml")
        let refused = try answers("account\nann\n")
        #expect(refused.status == 78 && refused.errors.contains("policy.yaml:3: rules[0].leave: "), "\(refused)")
        for arguments in [[], ["--sent", "a", "--policy", "b"], ["--policy", "a"], ["--now", "noon", "--sent", "a"]] {
            #expect(
                try Mill.run(["consumption-answers", "--database", database] + arguments).status == 64, "\(arguments)")
        }
    }
}
