internal import MillBytes
internal import MillJSON
package import ReceiptFormat

/// Reads payloads of signed strings. JSON is read strictly (RFC 8259): a key that
/// stands twice, a lone surrogate and invalid UTF-8 are faults.
package struct SignedPayloadParser {
    private static let all = SignedKey.allCases
    private static let keys = KeyTable(all.map(\.rawValue))

    /// Texts that can't be ranges of the JSON: those with escapes, and the name of the
    /// sandbox. They are meant to be appended behind the buffer that was parsed.
    private var appended: [UInt8] = []
    /// The offset that the first of them will have.
    private let appendedStart: Int
    private var payload = SignedPayload()
    /// What the members that were met are typical of.
    private var marks = KindMarks()
    /// What a notification is about stands under one of several keys: which was read, by rank.
    private var subjectRank: Int?
    private var subject: SignedPayload?
    private var isSandboxToken: Bool?
    private var receiptType: ByteRange?
    private var receiptCreationDate: Int64?

    private init(appendedStart: Int) { self.appendedStart = appendedStart }

    /// Reads a payload.
    ///
    /// - Parameters:
    ///   - bytes: a buffer that holds the payload's JSON.
    ///   - json: the range of the JSON.
    /// - Returns: what it states, and the bytes that have to be appended to the buffer
    ///   for its ranges to hold.
    package static func parse(
        _ bytes: Span<UInt8>, in json: ByteRange
    ) throws(MalformedSignedData) -> (payload: SignedPayload, appended: [UInt8]) {
        var parser = SignedPayloadParser(appendedStart: bytes.count)
        do throws(InvalidJSON) {
            var cursor = try JSONCursor(line: bytes, json.indices)
            cursor.skipWhitespace()
            var walk = StrictWalk()
            try walk.object(&cursor, depth: 0, number: keys.number) { walk, number, cursor throws(InvalidJSON) in
                try parser.readMember(all[number], &cursor, &walk)
            }
            cursor.skipWhitespace()
            guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
        } catch {
            throw MalformedSignedData(
                .payload, "the payload: \(error.what) (character \(error.offset + 1) of its JSON)")
        }
        try parser.finish(bytes)
        return (parser.payload, parser.appended)
    }

    // MARK: Members

    private mutating func readMember(
        _ key: SignedKey, _ cursor: inout JSONCursor, _ walk: inout StrictWalk
    ) throws(InvalidJSON) {
        if let rank = key.subjectRank {
            if cursor.next == UInt8(ascii: "{"), subjectRank.map({ rank < $0 }) ?? true {
                return try readSubject(rank, &cursor, &walk)
            }
            _ = try walk.value(&cursor, depth: 1)
            return
        }
        let token = try walk.value(&cursor, depth: 1)
        guard token.kind != .null else { return }
        marks.formUnion(key.mark)
        assign(key, token, cursor.bytes)
    }

    /// Reads what a notification is about.
    private mutating func readSubject(
        _ rank: Int, _ cursor: inout JSONCursor, _ walk: inout StrictWalk
    ) throws(InvalidJSON) {
        subjectRank = rank
        var subject = SignedPayloadParser(appendedStart: appendedStart + appended.count)
        try walk.object(&cursor, depth: 1, number: Self.keys.number) { walk, number, cursor throws(InvalidJSON) in
            let key = Self.all[number]
            let token = try walk.value(&cursor, depth: 2)
            guard token.kind != .null else { return }
            subject.assign(key, token, cursor.bytes)
        }
        appended += subject.appended
        let isToken = rank == SignedKey.externalPurchaseToken.subjectRank
        isSandboxToken = isToken ? subject.isSandboxToken ?? false : nil
        self.subject = subject.payload
    }

    /// Takes over what a notification is about. Of other kinds such an object says nothing.
    private mutating func takeSubject() {
        guard let found = subject else { return }
        payload.environment = found.environment
        payload.bundleID = found.bundleID
        payload.appAppleID = found.appAppleID
        payload.status = found.status
        payload.consumptionRequestReason = found.consumptionRequestReason
        payload.signedTransaction = found.signedTransaction
        payload.signedRenewal = found.signedRenewal
        payload.signedAppTransaction = found.signedAppTransaction
    }

    private mutating func assign(_ key: SignedKey, _ token: JSONToken, _ bytes: Span<UInt8>) {
        switch key {
        case .transactionId: payload.transactionID = text(token, bytes)
        case .originalTransactionId: payload.originalTransactionID = text(token, bytes)
        case .webOrderLineItemId: payload.webOrderLineItemID = identifier(token, bytes)
        case .bundleId: payload.bundleID = text(token, bytes)
        case .productId: payload.productID = text(token, bytes)
        case .subscriptionGroupIdentifier: payload.subscriptionGroupID = text(token, bytes)
        case .purchaseDate: payload.purchaseDate = date(token, bytes)
        case .originalPurchaseDate: payload.originalPurchaseDate = date(token, bytes)
        case .expiresDate: payload.expiresDate = date(token, bytes)
        case .quantity: payload.quantity = integer(token, bytes)
        case .type: payload.type = text(token, bytes)
        case .appAccountToken: payload.appAccountToken = text(token, bytes)
        case .inAppOwnershipType: payload.ownership = text(token, bytes)
        case .signedDate: payload.signedDate = milliseconds(token, bytes)
        case .revocationDate: payload.revocationDate = date(token, bytes)
        case .revocationReason: payload.revocationReason = integer(token, bytes)
        case .revocationType: payload.revocationType = text(token, bytes)
        case .revocationPercentage: payload.revocationPercentage = integer(token, bytes)
        case .isUpgraded: payload.isUpgraded = flag(token)
        case .offerType: payload.offerType = integer(token, bytes)
        case .offerIdentifier: payload.offerID = text(token, bytes)
        case .offerDiscountType: payload.offerDiscountType = text(token, bytes)
        case .offerPeriod: payload.offerPeriod = text(token, bytes)
        case .environment: payload.environment = environment(token, bytes)
        case .storefront: payload.storefront = text(token, bytes)
        case .transactionReason: payload.transactionReason = text(token, bytes)
        case .price: payload.price = integer(token, bytes)
        case .currency: payload.currency = text(token, bytes)
        case .appTransactionId: payload.appTransactionID = text(token, bytes)
        case .deviceVerification: payload.deviceVerification = text(token, bytes)
        case .deviceVerificationNonce: payload.deviceVerificationNonce = text(token, bytes)
        default: assignOther(key, token, bytes)
        }
    }

    private mutating func assignOther(_ key: SignedKey, _ token: JSONToken, _ bytes: Span<UInt8>) {
        switch key {
        case .autoRenewProductId: payload.autoRenewProductID = text(token, bytes)
        case .autoRenewStatus: payload.autoRenewStatus = integer(token, bytes)
        case .expirationIntent: payload.expirationIntent = integer(token, bytes)
        case .isInBillingRetryPeriod: payload.isInBillingRetry = flag(token)
        case .priceIncreaseStatus: payload.priceIncreaseStatus = integer(token, bytes)
        case .gracePeriodExpiresDate: payload.gracePeriodExpiresDate = date(token, bytes)
        case .recentSubscriptionStartDate: payload.recentSubscriptionStartDate = date(token, bytes)
        case .renewalDate: payload.renewalDate = date(token, bytes)
        case .renewalPrice: payload.renewalPrice = integer(token, bytes)
        case .receiptType: receiptType = environment(token, bytes)
        case .appAppleId: payload.appAppleID = integer(token, bytes)
        case .applicationVersion: payload.applicationVersion = text(token, bytes)
        case .versionExternalIdentifier: payload.versionExternalIdentifier = integer(token, bytes)
        case .receiptCreationDate: receiptCreationDate = milliseconds(token, bytes)
        case .originalApplicationVersion: payload.originalApplicationVersion = text(token, bytes)
        case .preorderDate: payload.preorderDate = date(token, bytes)
        case .originalPlatform: payload.originalPlatform = text(token, bytes)
        case .notificationType: payload.notificationType = text(token, bytes)
        case .subtype: payload.subtype = text(token, bytes)
        case .notificationUUID: payload.notificationUUID = text(token, bytes)
        case .status: payload.status = integer(token, bytes)
        case .consumptionRequestReason: payload.consumptionRequestReason = text(token, bytes)
        case .signedTransactionInfo: payload.signedTransaction = text(token, bytes)
        case .signedRenewalInfo: payload.signedRenewal = text(token, bytes)
        case .signedAppTransactionInfo: payload.signedAppTransaction = text(token, bytes)
        case .externalPurchaseId:
            let identifier = token.kind == .string ? JSONString.unescaped(bytes, in: token.range) : nil
            isSandboxToken = identifier?.starts(with: Self.sandboxPrefix) == true
        default: break
        }
    }

    // MARK: The kind

    /// Decides by what the payload states, never by where it stood, of which kind it is.
    private mutating func finish(_ bytes: Span<UInt8>) throws(MalformedSignedData) {
        if marks.contains(.notification) {
            payload.kind = .notification
            takeSubject()
            try require(payload.notificationType, "a notification without notificationType")
            if let isSandboxToken, payload.environment == nil {
                payload.environment = append(isSandboxToken ? Self.productionSandbox : Self.production)
            }
        } else if marks.contains(.transaction) {
            payload.kind = .signedTransaction
            try require(payload.transactionID, "a transaction without transactionId")
        } else if marks.contains(.renewal) {
            payload.kind = .signedRenewal
            try require(payload.originalTransactionID, "a renewal info without originalTransactionId")
        } else if marks.contains(.appTransaction) {
            payload.kind = .appTransaction
            payload.environment = receiptType
            payload.signedDate = receiptCreationDate
        } else {
            throw MalformedSignedData(
                .kind, "the payload is no transaction, renewal info, app transaction or notification")
        }
        try requireShort(payload.environment, "environment")
        try requireShort(payload.bundleID, "bundleId")
        try requireShort(payload.applicationVersion, "applicationVersion")
        try requireShort(payload.originalApplicationVersion, "originalApplicationVersion")
    }

    private func requireShort(_ name: ByteRange?, _ key: String) throws(MalformedSignedData) {
        guard let name, name.count > AppReceipt.maximumNameBytes else { return }
        throw MalformedSignedData(
            .payload,
            "the payload: a \(key) of \(name.count) bytes, where \(AppReceipt.maximumNameBytes) are allowed")
    }

    private func require(_ value: ByteRange?, _ what: String) throws(MalformedSignedData) {
        guard value != nil else { throw MalformedSignedData(.payload, "the payload is \(what)") }
    }

    // MARK: Values

    private static let sandbox = Array("Sandbox".utf8)
    private static let productionSandbox = Array("ProductionSandbox".utf8)
    private static let production = Array("Production".utf8)
    private static let sandboxPrefix = Array("SANDBOX".utf8)

    private mutating func append(_ text: [UInt8]) -> ByteRange {
        let range = ByteRange(offset: appendedStart + appended.count, count: text.count)
        appended += text
        return range
    }

    private mutating func text(_ token: JSONToken, _ bytes: Span<UInt8>) -> ByteRange? {
        guard token.kind == .string, !token.range.isEmpty else { return nil }
        guard token.hasEscapes else { return ByteRange(offset: token.range.lowerBound, count: token.range.count) }
        return JSONString.unescaped(bytes, in: token.range).map { append($0) }
    }

    private mutating func environment(_ token: JSONToken, _ bytes: Span<UInt8>) -> ByteRange? {
        guard token.kind == .string else { return nil }
        let isSandbox =
            token.hasEscapes
            ? JSONString.unescaped(bytes, in: token.range) == Self.sandbox
            : ByteSearch.isEqual(bytes, token.range, Self.sandbox)
        return isSandbox ? append(Self.productionSandbox) : text(token, bytes)
    }

    private func flag(_ token: JSONToken) -> Bool? {
        token.kind == .boolean ? token.range.count == "true".utf8.count : nil
    }

    /// Whole numbers below are not rounded in a Double.
    private static let roundedFrom = 0x1p53

    /// A number without a fraction: of digits alone, exact in 64 bits; written with a
    /// fraction or an exponent, where no Double rounds it.
    private func integer(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        guard token.kind == .number else { return nil }
        if let exact = JSONNumber.integer(bytes, in: token.range) { return exact }
        guard let number = JSONNumber.double(bytes, in: token.range), abs(number) < Self.roundedFrom else { return nil }
        return Int64(exactly: number)
    }

    /// An identifier of digits, which is text.
    private func identifier(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        guard token.kind == .string, !token.range.isEmpty else { return nil }
        return JSONNumber.integer(bytes, in: token.range)
    }

    /// Milliseconds since 1970, of which Xcode writes fractions; nil beyond the years
    /// 1 to 9999.
    private func milliseconds(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        guard token.kind == .number else { return nil }
        if let exact = JSONNumber.integer(bytes, in: token.range) {
            return ReceiptDate.range.contains(exact) ? exact : nil
        }
        guard let number = JSONNumber.double(bytes, in: token.range)?.rounded(.down),
            let whole = Int64(exactly: number), ReceiptDate.range.contains(whole)
        else { return nil }
        return whole
    }

    /// The same of what happened: Xcode writes the year 1 for what did not.
    private func date(_ token: JSONToken, _ bytes: Span<UInt8>) -> Int64? {
        milliseconds(token, bytes).flatMap { $0 >= 0 ? $0 : nil }
    }
}

extension SignedKey {
    /// The kind of payload that the key is typical of.
    fileprivate var mark: KindMarks {
        switch self {
        case .notificationType, .notificationUUID: .notification
        case .transactionId, .purchaseDate, .inAppOwnershipType: .transaction
        case .autoRenewProductId, .autoRenewStatus, .renewalDate, .expirationIntent, .isInBillingRetryPeriod,
            .gracePeriodExpiresDate, .renewalPrice, .priceIncreaseStatus, .recentSubscriptionStartDate:
            .renewal
        case .receiptType, .originalApplicationVersion, .receiptCreationDate: .appTransaction
        default: []
        }
    }

    /// The order of the keys under which a notification's subject stands (Apple,
    /// responseBodyV2DecodedPayload); nil for other keys.
    fileprivate var subjectRank: Int? {
        switch self {
        case .data: 0
        case .summary: 1
        case .externalPurchaseToken: 2
        case .appData: 3
        default: nil
        }
    }
}

/// Kinds of payloads whose typical members were met.
private struct KindMarks: OptionSet {
    let rawValue: UInt8
    static let notification = KindMarks(rawValue: 1)
    static let transaction = KindMarks(rawValue: 2)
    static let renewal = KindMarks(rawValue: 4)
    static let appTransaction = KindMarks(rawValue: 8)
}
