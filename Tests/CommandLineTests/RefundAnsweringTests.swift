internal import Foundation
internal import TestSupport
internal import Testing

/// `receiptmill consumption-answers`, from signed notifications to bodies for the store.
@Suite struct ConsumptionAnswersTests {
    private let folder: RefundRequestFolder

    init() throws { folder = try RefundRequestFolder() }

    @Test("Each open request of a customer who consented gets the body that the store takes")
    func bodies() throws {
        let subscription = folder.transaction(
            11, "gold", type: "Auto-Renewable Subscription",
            more: ",\"expiresDate\":\(RefundRequestFolder.asked + 20 * RefundRequestFolder.day)")
        let coins = folder.transaction(12, more: ",\"appAccountToken\":\"\(RefundRequestFolder.token.lowercased())\"")
        let pass = folder.transaction(
            13, "pass.month", type: "Non-Renewing Subscription", more: ",\"appTransactionId\":\"app-13\"")
        try folder.ingest([
            folder.presented(subscription, by: "ann"), folder.presented(folder.transaction(14), by: "bob"),
            folder.notification("CONSUMPTION_REQUEST", "u-11", subscription, reason: "UNINTENDED_PURCHASE"),
            folder.notification("CONSUMPTION_REQUEST", "u-12", coins),
            folder.notification("CONSUMPTION_REQUEST", "u-13", pass),
            folder.notification("CONSUMPTION_REQUEST", "u-14", folder.transaction(14), reason: "FULFILLMENT_ISSUE"),
            folder.notification("CONSUMPTION_REQUEST", "u-15", folder.transaction(15)),
        ])
        let result = try folder.answers(
            "app_transaction_id,account,app_account_token\n,ann,\napp-13,,\n,,\(RefundRequestFolder.token)\n,bob,\n",
            folder.fourHoursLater[0], folder.fourHoursLater[1])
        #expect(result.status == 0)
        #expect(
            try folder.bodies(result) == [
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
        let shared = ",\"appAccountToken\":\"\(RefundRequestFolder.token)\""
        func mine(_ number: Int, _ more: String = "") -> String { folder.transaction(number, more: shared + more) }
        func request(_ number: Int, _ transaction: String, after hours: Int64 = 0, reason: String? = nil) throws
            -> String
        {
            try folder.notification(
                "CONSUMPTION_REQUEST", "u-\(number)-\(hours)", transaction, reason: reason,
                after: hours * RefundRequestFolder.hour)
        }
        let family = mine(21).replacing("\"PURCHASED\"", with: "\"FAMILY_SHARED\"")
        let assigned = mine(22).replacing("\"PURCHASED\"", with: "\"ASSIGNED\"")
        let commerce = mine(
            23, ",\"advancedCommerceInfo\":{\"requestReferenceId\":\"r\",\"items\":[{\"SKU\":\"s\",\"price\":9990}]}")
        try folder.ingest([
            request(21, family), request(22, assigned), request(23, commerce),
            request(24, mine(24)),
            folder.notification("REFUND_DECLINED", "u-24", mine(24), after: RefundRequestFolder.hour),
            request(25, mine(25)),
            folder.notification("REFUND_DECLINED", "u-25", mine(25), after: RefundRequestFolder.hour),
            request(25, mine(25), after: 2),
            request(26, mine(26)), request(26, mine(26), after: 11), request(27, mine(27)),
            request(28, mine(28), after: 3, reason: "LEGAL"),
            request(29, mine(29), after: 3).replacing("\n", with: ""),
            folder.notification("REFUND", "u-29", mine(29), after: 4 * RefundRequestFolder.hour),
        ])
        let consents = "{\"app_account_token\":\"\(RefundRequestFolder.token)\"}\n"
        // Eleven and a half hours after the first requests.
        let result = try folder.answers(consents, "--now", "2024-10-27T15:03:20Z")
        #expect(try folder.bodies(result).keys.sorted() == ["20000000000025", "20000000000026", "20000000000027"])
        #expect(result.output.contains("\"hours_left\":0.5,") && result.output.contains("\"hours_left\":11.5,"))
        #expect(
            result.errors == """
                receiptmill: 1 open request that a rule leaves open, for a person to decide
                receiptmill: 2 open requests about a share of somebody else's purchase, of which the store takes no answer
                receiptmill: 1 open request of the Advanced Commerce API, which the first version of the endpoint answers

                """)
        let later = try folder.answers(consents, "--now", "2024-10-27T15:33:20Z", "--quiet")
        #expect(try folder.bodies(later).keys.sorted() == ["20000000000025", "20000000000026"])
        #expect(later.errors.isEmpty && later.status == 0)
        let all = try folder.answers(consents, "--now", "2024-10-28T15:33:20Z", "--all", "--quiet", "--format", "text")
        #expect(
            all.output == """
                20000000000027  -24 h left  no preference  com.example.coins  no reason  by 'coins'
                20000000000025  -22 h left  no preference  com.example.coins  no reason  by 'coins'
                20000000000026  -13 h left  no preference  com.example.coins  no reason  by 'coins'

                """)
    }

    @Test("What was sent is recorded once, is not answered again, and is erased with the person")
    func sent() throws {
        let (own, other) = (folder.transaction(31), folder.transaction(32))
        try folder.ingest([
            folder.presented(own, by: "ann"), folder.presented(other, by: "bob"),
            folder.notification("CONSUMPTION_REQUEST", "u-31", own),
            folder.notification("CONSUMPTION_REQUEST", "u-32", other),
        ])
        let consents = "account\nann\nbob\n"
        let written = try folder.answers(consents, folder.fourHoursLater[0], folder.fourHoursLater[1])
        let file = try folder.workdir.write(written.output, to: "sent.jsonl")
        func record(_ file: String) throws -> Mill.Result {
            try Mill.run(
                ["consumption-answers", "--database", folder.database, "--sent", file, "--now", "2024-10-27T08:00:00Z"])
        }
        #expect(try record(file).output == "2 answers recorded, 0 known before\n")
        #expect(try record(file).output == "0 answers recorded, 2 known before\n")
        let rows = """
            SELECT environment, transaction_id, typeof(transaction_id), answered_at, delivery_status,
                consumption_percentage, refund_preference
            FROM consumption_answer ORDER BY 2
            """
        #expect(
            try Stored(folder.database).lines(rows) == [
                "Production|20000000000031|integer|1730016000000|DELIVERED|33500|-",
                "Production|20000000000032|integer|1730016000000|DELIVERED|33500|-",
            ])
        let again = try folder.answers(consents, folder.fourHoursLater[0], folder.fourHoursLater[1])
        #expect(again.output.isEmpty && again.errors.contains("2 open requests answered before"), "\(again)")
        let all = try folder.answers(consents, "--all", "--quiet")
        #expect(all.output.contains("\"former_answer_at\":\"2024-10-27T08:00:00Z\""))
        let report = try Mill.run([
            "report", "refund-requests", "--database", folder.database, "--param", "from=all", "--columns",
            "answer,requests,unanswered", "--format", "csv",
        ])
        #expect(report.output.contains("(no preference),2,2"), "\(report)")

        let stranger = try folder.workdir.write(
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
            let refused = try record(folder.workdir.write(written.output + text + "\n", to: "bad.jsonl"))
            #expect(
                refused.status == 65 && refused.errors.contains("bad.jsonl:3: is no answer: \(words)"), "\(refused)")
        }

        let erased = try Mill.run(["erase", "--account", "ann", "--database", folder.database])
        #expect(erased.status == 0 && erased.output.contains("1 answer to refund requests"), "\(erased)")
        #expect(
            try Stored(folder.database).lines("SELECT transaction_id FROM consumption_answer") == ["20000000000032"])
        #expect(try Mill.run(["check", "--database", folder.database]).status == 0)
    }

    @Test("A second answer to a request is recorded beside the first, and once")
    func secondAnswer() throws {
        try folder.ingest([
            folder.presented(folder.transaction(71), by: "ann"),
            folder.notification("CONSUMPTION_REQUEST", "u-71", folder.transaction(71)),
        ])
        func record(_ text: String, at time: String) throws -> String {
            try Mill.run([
                "consumption-answers", "--database", folder.database, "--sent",
                folder.workdir.write(text, to: "sent.jsonl"), "--now",
                time,
            ]).output
        }
        let first = try folder.answers("account\nann\n", folder.fourHoursLater[0], folder.fourHoursLater[1]).output
        #expect(try record(first, at: "2024-10-27T08:00:00.700Z") == "1 answer recorded, 0 known before\n")
        let second = try folder.answers("account\nann\n", "--all", folder.fourHoursLater[0], folder.fourHoursLater[1])
            .output
            .replacing("\"deliveryStatus\":\"DELIVERED\"", with: "\"deliveryStatus\":\"UNDELIVERED_OTHER\"")
        for (time, words) in [("08:30:00Z", "1 answer recorded, 0"), ("09:00:00Z", "0 answers recorded, 1")] {
            #expect(try record(second, at: "2024-10-27T\(time)") == words + " known before\n")
        }
        #expect(try record(first, at: "2024-10-27T09:00:00Z") == "0 answers recorded, 1 known before\n")
        // A program that adds the moment to a line is believed.
        let stated = second.replacing("\"rule\":", with: "\"answered_at\":\"2024-10-27T08:40:00Z\",\"rule\":")
        #expect(try record(stated, at: "2024-10-27T09:00:00Z") == "1 answer recorded, 0 known before\n")
        #expect(
            try Stored(folder.database).lines(
                "SELECT answered_at, delivery_status FROM consumption_answer ORDER BY answered_at") == [
                    "1730016000700|DELIVERED", "1730017800000|UNDELIVERED_OTHER", "1730018400000|UNDELIVERED_OTHER",
                ])
    }

    @Test("Hours that are left are rounded down, and are not 0 while a request is open")
    func hoursLeft() throws {
        try folder.ingest([
            folder.presented(folder.transaction(81), by: "ann"),
            folder.notification("CONSUMPTION_REQUEST", "u-81", folder.transaction(81)),
        ])
        for (now, hours) in [
            ("03:34:02Z", "11.98"), ("14:33:21Z", "0.99"), ("15:32:19Z", "0.01"), ("15:32:20Z", "0.01"),
            ("15:33:19Z", "0.01"), ("15:33:20Z", "0"), ("15:33:21Z", "-0.01"), ("17:33:20Z", "-2"),
        ] {
            let result = try folder.answers("account\nann\n", "--all", "--now", "2024-10-27T\(now)")
            #expect(result.output.contains("\"hours_left\":\(hours),"), "\(now) \(result)")
        }
    }

    @Test("Under a key for pseudonyms the list has identifiers and the key, or pseudonyms")
    func pseudonyms() throws {
        let key = try folder.workdir.write("0123456789abcdef0123456789abcdef", to: "key")
        let coins = folder.transaction(51, more: ",\"appAccountToken\":\"\(RefundRequestFolder.token)\"")
        try folder.ingest(
            [folder.presented(coins, by: "ann"), folder.notification("CONSUMPTION_REQUEST", "u-51", coins)],
            "--pseudonym-key", key)
        let now = "2024-10-27T07:33:20Z"
        #expect(try folder.answers("account\nann\n", "--now", now).output.isEmpty)
        for list in ["account\nann\n", "app_account_token\n\(RefundRequestFolder.token)\n"] {
            #expect(try folder.bodies(folder.answers(list, "--now", now, "--pseudonym-key", key)).count == 1, "\(list)")
        }
        let stored = try #require(
            try Stored(folder.database).lines("SELECT account_id FROM submission WHERE account_id IS NOT NULL").first)
        #expect(try folder.bodies(folder.answers("account\n\(stored)\n", "--now", now)).count == 1)
        let other = try folder.workdir.write("fedcba9876543210fedcba9876543210", to: "other")
        let refused = try folder.answers("account\nann\n", "--pseudonym-key", other)
        #expect(refused.status == 78 && refused.errors.contains("by another key"), "\(refused)")
    }

    @Test("A policy, a list or a database that can't be read is refused with its line")
    func refusals() throws {
        try folder.ingest([folder.presented(folder.transaction(61), by: "ann")])
        for (list, words) in [
            ("name\nann\n", "consents:1: the first line names none of account, app_account_token, app_transaction_id"),
            ("account,app_account_token\nann,\n,\n", "consents:3: the line names nobody"),
            ("{\"account\":\"ann\"}\n{\"device\":\"x\"}\n", "consents:2: names no customer"),
        ] {
            let refused = try folder.answers(list)
            #expect(refused.status == 65 && refused.errors.contains(words), "\(refused)")
        }
        let missing = try Mill.run([
            "consumption-answers", "--database", folder.database, "--policy", folder.workdir.path("none.yaml"),
            "--consents", "none",
        ])
        #expect(missing.status == 66 && missing.errors.contains("name a policy file"), "\(missing)")
        try folder.workdir.write("rules:\n  - name: a\n    leave: true\n", to: "policy.yaml")
        let refused = try folder.answers("account\nann\n")
        #expect(refused.status == 78 && refused.errors.contains("policy.yaml:3: rules[0].leave: "), "\(refused)")
        for arguments in [[], ["--sent", "a", "--policy", "b"], ["--policy", "a"], ["--now", "noon", "--sent", "a"]] {
            #expect(
                try Mill.run(["consumption-answers", "--database", folder.database] + arguments).status == 64,
                "\(arguments)")
        }
    }
}
