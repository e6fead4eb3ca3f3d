internal import MillBytes
internal import MillJSON

/// The keys of a line's JSON that are read, and what stands under each (docs/line-forms.md has where each is from).
struct LineKeyTable {
    enum Meaning {
        /// A text that is a document, whatever its form.
        case document
        /// A list of such texts.
        case documents
        /// Anything: an object or a list that may hold documents, a text that holds JSON, or a text that is a document
        /// if it has the form of one.
        case wrapper
        /// A text that is a document. Of several receipts in an object the one under the first key counts.
        case receipt
        case device, deviceVerification, account, time
    }

    struct KnownKey {
        let meaning: Meaning
        /// The index of the key in the list of keys of its meaning; the smallest wins.
        let rank: Int
        /// Whether an object or a list under a receipt key may hold documents.
        let isWrapper: Bool
    }

    private let keys: [KnownKey]
    private let names: KeyTable

    /// Keys under which nothing stands but signed data and, in answers of the store, receipts.
    private static let documents = [
        // App Store Server API and Notifications.
        "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
        // StoreKit's names, as apps and servers write them.
        "signedTransaction", "signedRenewal", "signedAppTransaction", "appTransaction", "jwsRepresentation", "jws",
        "signed_payload", "signed_transaction", "jws_representation", "jwsRepresentationIOS", "jwsRepresentationIos",
        // Names of the types in Apple's API.
        "jwsTransaction", "jwsRenewalInfo", "jwsAppTransaction",
        // Answers of verifyReceipt, and notifications of version 1.
        "latest_receipt",
    ]

    /// Answers about histories and refunds (App Store Server API).
    private static let lists = ["signedTransactions"]

    private static let wrappers = [
        // Answers about statuses of subscriptions and about notifications; notifications of version 1; what a
        // notification holds, decoded.
        "data", "lastTransactions", "notificationHistory", "unified_receipt", "appData",
        // Requests and answers as servers log them.
        "response", "body", "requestBody",
        // Libraries that serve several stores, which have tokens of the other stores under the same keys.
        "purchaseToken", "transactionReceipt", "verificationResultIOS", "verificationData", "serverVerificationData",
        "fetch_token", "app_transaction", "token",
    ]

    private static let deviceVerification = ["device_verification_id", "deviceVerificationID"]

    /// A key that stands in several lists is of the first of them. Only a key that holds nothing but signed data is no
    /// receipt key, whoever names it.
    init(_ lines: LineKeys) {
        let documents = Set(Self.documents + Self.lists)
        let wrappers = Set(Self.wrappers)
        var keys: [(name: String, key: KnownKey)] = []
        func add(_ names: [String], _ meaning: Meaning) {
            for (rank, name) in names.enumerated() {
                if meaning == .receipt, documents.contains(name) { continue }
                keys.append((name, KnownKey(meaning: meaning, rank: rank, isWrapper: wrappers.contains(name))))
            }
        }
        add(lines.receipt, .receipt)
        add(lines.device, .device)
        add(lines.account, .account)
        add(lines.time, .time)
        add(Self.deviceVerification, .deviceVerification)
        add(Self.documents, .document)
        add(Self.lists, .documents)
        add(Self.wrappers, .wrapper)
        names = KeyTable(keys.map(\.name))
        self.keys = keys.map(\.key)
    }

    /// Nil for a key that is not read.
    func key(_ token: JSONToken, _ bytes: Span<UInt8>) -> KnownKey? { token.number(in: names, bytes).map { keys[$0] } }
}
