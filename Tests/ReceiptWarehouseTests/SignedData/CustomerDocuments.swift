import Foundation
import ReceiptTrust
import TestSupport

/// What one customer presents over time: receipts and signed strings of the same
/// purchases, many of one second, made at random.
struct CustomerDocuments {
    struct Document {
        /// What stands in the line.
        var text: String
        /// The bytes that are hashed.
        var content: [UInt8]
        var sha256 = ""
        /// When it was made, in milliseconds.
        var date: Int64
        /// The purchase that it tells of.
        var transaction: String
        var product: String
        var quantity: Int
        /// What a signed transaction states beside, by the columns of the database; nil for a receipt.
        var terms: [String: String]?
        var isTrusted = true
    }

    /// Terms that are stated together or not at all.
    static let groups: [[String]] = [
        ["price_milliunits", "currency"], ["storefront", "storefront_id"], ["ownership"],
        ["offer_type", "offer_id", "offer_discount_type", "offer_period"], ["transaction_reason"],
        ["subscription_group_id"], ["app_account_token"], ["app_transaction_id"], ["billing_plan"],
        ["additional_reason"], ["previous_original_transaction_id"],
    ]
    private static let members = [
        "price_milliunits": "price", "currency": "currency", "storefront": "storefront",
        "ownership": "inAppOwnershipType", "offer_type": "offerType", "offer_id": "offerIdentifier",
        "offer_discount_type": "offerDiscountType", "offer_period": "offerPeriod",
        "transaction_reason": "transactionReason", "subscription_group_id": "subscriptionGroupIdentifier",
        "app_account_token": "appAccountToken", "app_transaction_id": "appTransactionId", "is_upgraded": "isUpgraded",
        "storefront_id": "storefrontId", "billing_plan": "billingPlanType",
        "additional_reason": "additionalTransactionReason",
        "previous_original_transaction_id": "previousOriginalTransactionId",
    ]
    private static let numbers: Set<String> = ["price_milliunits", "offer_type"]

    let store: SignedStringStore
    let stranger: SignedStringStore
    let receipts: LegacyStore
    /// Documents that tell of a purchase.
    private(set) var documents: [Document] = []
    /// Renewal infos, app transactions and notifications.
    private(set) var others: [String] = []
    /// Seconds from here; certificates of the receipts' store are valid for a day.
    private let start = Int64(Date().timeIntervalSince1970) + 120

    init(seed: UInt64, count: Int) throws {
        // Both stores are valid at the same time.
        func now(_ request: SignedStringStore.Request) -> SignedStringStore.Request {
            request.with { ($0.begins, $0.ends) = (Date() - 1e6, Date() + 1e6) }
        }
        let requests = [SignedStringStore.root, SignedStringStore.intermediate, SignedStringStore.leaf].map(now)
        store = try SignedStringStore(root: requests[0], intermediate: requests[1], leaf: requests[2])
        stranger = try SignedStringStore(root: requests[0], intermediate: requests[1], leaf: requests[2])
        receipts = try LegacyStore(version: 3)
        var random = SeededGenerator(seed: seed)
        for number in 0..<count { documents.append(try document(number, &random)) }
        for number in 0..<count / 2 { others.append(try other(number, &random)) }
        try hash()
    }

    var anchors: TrustAnchors {
        get throws {
            var anchors = TrustAnchors()
            _ = try anchors.insertCertificates(of: store.root.der)
            _ = try anchors.insertCertificates(of: receipts.root)
            return anchors
        }
    }

    private func document(_ number: Int, _ random: inout SeededGenerator) throws -> Document {
        let second = start + Int64.random(in: 0..<5, using: &random)
        let (transaction, product) = ("\(Int.random(in: 1...3, using: &random))", "product.\(number)")
        var made = Document(
            text: "", content: [], date: second * 1_000, transaction: transaction, product: product,
            quantity: number + 1)
        if Int.random(in: 0..<4, using: &random) == 0 {
            made.content = try receipts.container(
                PayloadBytes.payload([
                    PayloadBytes.attribute(0, PayloadBytes.text("Production")),
                    PayloadBytes.attribute(2, PayloadBytes.text("com.example.app")),
                    PayloadBytes.attribute(
                        12, PayloadBytes.date(Date(timeIntervalSince1970: TimeInterval(second)))),
                    PayloadBytes.purchase(transaction, product: product, quantity: number + 1),
                ]))
            made.text = Data(made.content).base64EncodedString()
            return made
        }
        var terms: [String: String] = [:]
        for group in Self.groups where Bool.random(using: &random) {
            for column in group where column == group[0] || Bool.random(using: &random) {
                terms[column] = Self.numbers.contains(column) ? "\(number + 1)" : "\(column) \(number)"
            }
        }
        if Int.random(in: 0..<3, using: &random) == 0 { terms["is_upgraded"] = Bool.random(using: &random) ? "1" : "0" }
        made.terms = terms
        made.isTrusted = Int.random(in: 0..<6, using: &random) > 0
        made.text = try (made.isTrusted ? store : stranger).sign(
            Self.payload(made, isRevoked: Int.random(in: 0..<3, using: &random) == 0, number))
        made.content = Array(made.text.utf8)
        return made
    }

    private static func payload(_ document: Document, isRevoked: Bool, _ number: Int) -> String {
        var more = ""
        for (column, value) in document.terms ?? [:] {
            let text =
                column == "is_upgraded"
                ? value == "1" ? "true" : "false" : numbers.contains(column) ? value : "\"\(value)\""
            more += ",\"\(members[column] ?? column)\":\(text)"
        }
        if isRevoked { more += ",\"revocationDate\":\(document.date - 5),\"revocationReason\":\(number % 2)" }
        return """
            {"transactionId":"\(document.transaction)","originalTransactionId":"1","bundleId":"com.example.app",\
            "environment":"Production","productId":"\(document.product)","quantity":\(document.quantity),\
            "signedDate":\(document.date)\(more)}
            """
    }

    private func other(_ number: Int, _ random: inout SeededGenerator) throws -> String {
        let date = (start + Int64.random(in: 0..<5, using: &random)) * 1_000
        let renewal = """
            {"originalTransactionId":"\(Int.random(in: 1...2, using: &random))","environment":"Production",\
            "autoRenewStatus":\(number % 2),"productId":"product.\(number)","autoRenewProductId":"product.\(number % 3)",\
            "signedDate":\(date)}
            """
        let signer = Int.random(in: 0..<5, using: &random) == 0 ? stranger : store
        switch number % 4 {
        case 0: return try signer.sign(renewal)
        case 1:
            return try signer.sign(
                """
                {"receiptType":"Production","bundleId":"com.example.app","receiptCreationDate":\(date),\
                "originalApplicationVersion":"\(number)","originalPlatform":"iOS","appTransactionId":"a\(number)"}
                """)
        default:
            let inner = documents[Int.random(in: documents.indices, using: &random)]
            let part = inner.terms == nil ? "" : ",\"signedTransactionInfo\":\"\(inner.text)\""
            return try signer.sign(
                """
                {"notificationType":"DID_RENEW","notificationUUID":"u\(number % 3)","signedDate":\(date),\
                "data":{"environment":"Production","bundleId":"com.example.app","status":\(number)\(part),\
                "signedRenewalInfo":"\(try store.sign(renewal))"}}
                """)
        }
    }

    /// The digests, by OpenSSL's tool.
    private mutating func hash() throws {
        let workdir = try Workdir()
        for index in documents.indices { try workdir.write(documents[index].content, to: "\(index)") }
        let names = documents.indices.map(String.init)
        let lines = try workdir.openssl(["dgst", "-sha256", "-r"] + names)?.split(separator: "\n") ?? []
        for (index, line) in lines.enumerated() { documents[index].sha256 = String(line.prefix(64)) }
    }
}
