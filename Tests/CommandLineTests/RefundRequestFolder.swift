internal import Foundation
internal import TestSupport
internal import Testing

/// A folder with a policy and a trust anchor, for `receiptmill consumption-answers`.
struct RefundRequestFolder {
    let workdir: Workdir
    var database: String { workdir.path("mill.sqlite") }

    static let store = Result { try SignedStringStore() }
    /// 2024-10-27T03:33:20Z, when customers ask for refunds.
    static let asked = SignedStringStore.signedAt
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 24 * hour
    static let token = "7E3C1A52-0B44-4D6E-9F10-AA55BB66CC77"

    static let policy = """
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
    func transaction(
        _ number: Int, _ product: String = "coins", type: String = "Consumable", price: Int64 = 9990, more: String = ""
    ) -> String {
        """
        {"transactionId":"200000000000\(number)","originalTransactionId":"200000000000\(number)",\
        "bundleId":"com.example.app","productId":"com.example.\(product)","purchaseDate":\(Self.asked - 10 * Self.day),\
        "quantity":1,"type":"\(type)","inAppOwnershipType":"PURCHASED","environment":"Production","price":\(price),\
        "currency":"EUR","storefront":"DEU","signedDate":\(Self.asked - 9 * Self.day)\(more)}
        """
    }

    func notification(
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
    static let device = "0f9619ff-8b86-d011-b42d-00c04fc964ff"
    static let proof = """
        ,"deviceVerificationNonce":"7EDEA87D-98F0-42D0-9682-49CA81022F73",\
        "deviceVerification":"gIRaH/opPHLS8AHKvII2QoTfikk/QV/pti6CjDH17nOPuBYDeg5FQlpqrAhOf+7D"}
        """

    /// A document that an account presents on the device that the document was made for.
    func presented(_ document: String, by account: String) throws -> String {
        let signed = try Self.store.get().sign(document.dropLast() + Self.proof)
        return #"{"account_id":"\#(account)","device_verification_id":"\#(Self.device)","jws":"\#(signed)"}"#
    }

    /// A document that an account presents on an unknown device.
    func copied(_ document: String, by account: String) throws -> String {
        #"{"account_id":"\#(account)","jws":"\#(try Self.store.get().sign(document))"}"#
    }

    func ingest(_ lines: [String], _ options: String...) throws {
        let archive = try workdir.write(
            lines.map { $0.hasPrefix("{") ? $0 : "{\"jws\":\"\($0)\"}" }.joined(separator: "\n") + "\n",
            to: "\(lines.count)-\(options.count).jsonl")
        let result = try Mill.run(
            ["ingest", archive, "--trust", workdir.path("root.pem"), "--database", database, "--quiet"] + options)
        try #require(result.status == 0, "\(result)")
    }

    func answers(_ consents: String, _ options: String...) throws -> Mill.Result {
        try Mill.run(
            [
                "consumption-answers", "--database", database, "--policy", workdir.path("policy.yaml"), "--consents",
                workdir.write(consents, to: "consents"),
            ] + options)
    }

    func bodies(_ result: Mill.Result) throws -> [String: String] {
        try result.output.split(separator: "\n").reduce(into: [:]) { found, line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let start = try #require(line.firstRange(of: "\"body\":"), "\(line)").upperBound
            found["\(object["transaction_id"] ?? "")"] = String(line[start...].dropLast())
        }
    }

    let fourHoursLater = ["--now", "2024-10-27T07:33:20Z"]
}
