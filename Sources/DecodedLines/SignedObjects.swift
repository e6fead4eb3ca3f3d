internal import MillJSON
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

struct TermsMembers: DecodedObject {
    var terms = TransactionTerms()
    var revocationDate: Int64?
    var revocation = TransactionTerms.Revocation(date: 0)

    init() {}
    init(_ terms: TransactionTerms) {
        self.terms = terms
        revocationDate = terms.revocation?.date
        revocation = terms.revocation ?? revocation
    }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.integer("price_milliunits", &terms.price)
        try visitor.text("currency", &terms.currency)
        try visitor.text("storefront", &terms.storefront)
        try visitor.text("ownership", &terms.ownership)
        try visitor.integer("offer_type", &terms.offerType)
        try visitor.text("offer_id", &terms.offerID)
        try visitor.text("offer_discount_type", &terms.offerDiscountType)
        try visitor.text("offer_period", &terms.offerPeriod)
        try visitor.text("transaction_reason", &terms.transactionReason)
        try visitor.text("subscription_group_id", &terms.subscriptionGroupID)
        try visitor.text("app_account_token", &terms.appAccountToken)
        try visitor.text("app_transaction_id", &terms.appTransactionID)
        try visitor.binary("is_upgraded", &terms.isUpgraded)
        try visitor.time("revocation_date_ms", &revocationDate)
        try visitor.integer("revocation_reason", &revocation.reason)
        try visitor.text("revocation_type", &revocation.type)
        try visitor.share("revoked_share", &revocation.share)
    }

    func fault(behind others: [TermsMembers]) -> String? {
        revocationDate == nil && revocation != .init(date: 0)
            ? "a revocation has to have its date, revocation_date_ms" : nil
    }

    var whole: TransactionTerms {
        var whole = terms
        whole.revocation = revocationDate.map {
            var revocation = revocation
            revocation.date = $0
            return revocation
        }
        return whole
    }
}

extension RenewalState: DecodedObject {
    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.text("original_transaction_id", &originalTransactionID)
        try visitor.text("product_id", &productID)
        try visitor.text("auto_renew_product_id", &autoRenewProductID)
        try visitor.integer("auto_renew_status", &autoRenewStatus)
        try visitor.integer("expiration_intent", &expirationIntent)
        try visitor.binary("is_in_billing_retry", &isInBillingRetry)
        try visitor.time("grace_period_expires_date_ms", &gracePeriodExpiresDate)
        try visitor.time("renewal_date_ms", &renewalDate)
        try visitor.integer("renewal_price_milliunits", &price)
        try visitor.text("currency", &currency)
        try visitor.integer("offer_type", &offerType)
        try visitor.text("offer_id", &offerID)
        try visitor.integer("price_increase_status", &priceIncreaseStatus)
        try visitor.time("recent_subscription_start_date_ms", &recentSubscriptionStartDate)
        try visitor.text("app_account_token", &appAccountToken)
        try visitor.text("app_transaction_id", &appTransactionID)
    }

    func fault(behind others: [RenewalState]) -> String? {
        originalTransactionID.isEmpty ? "renewal has to have an original_transaction_id" : nil
    }
}

extension AppTransactionState: DecodedObject {
    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.text("original_platform", &originalPlatform)
        try visitor.text("app_transaction_id", &appTransactionID)
    }
}

extension NotificationState: DecodedObject {
    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.text("notification_uuid", &uuid)
        try visitor.text("notification_type", &type)
        try visitor.text("subtype", &subtype)
        try visitor.integer("status", &status)
        try visitor.text("consumption_request_reason", &consumptionRequestReason)
    }

    func fault(behind others: [NotificationState]) -> String? {
        type == nil ? "notification has to have a notification_type" : nil
    }
}

extension MemberWriter {
    @_lifetime(self: copy self)
    mutating func content(_ value: inout Int?) {
        guard let value else { return }
        switch batch.signedContents[value] {
        case .transaction(let terms):
            var members: TermsMembers? = TermsMembers(terms)
            object("terms", &members)
        case .renewal(let state):
            var members: RenewalState? = state
            object("renewal", &members)
        case .appTransaction(let state):
            var members: AppTransactionState? = state
            object("app_transaction", &members)
        case .notification(let state):
            var members: NotificationState? = state
            object("notification", &members)
        }
    }
}

extension MemberReader {
    @_lifetime(self: copy self)
    mutating func content(_ value: inout Int?) throws(InvalidJSON) {
        try content("terms", TermsMembers.self, &value) { .transaction($0.whole) }
        try content("renewal", RenewalState.self, &value) { .renewal($0) }
        try content("app_transaction", AppTransactionState.self, &value) { .appTransaction($0) }
        try content("notification", NotificationState.self, &value) { .notification($0) }
    }

    @_lifetime(self: copy self)
    private mutating func content<Object: DecodedObject>(
        _ name: StaticString, _ type: Object.Type, _ value: inout Int?, _ make: (Object) -> SignedContent
    ) throws(InvalidJSON) {
        guard try takes(name) else { return }
        var object = Object()
        try read(&object)
        guard value == nil else {
            throw cursor.failure("a document states one of terms, renewal, app_transaction and notification")
        }
        value = contents.signedContents.count
        contents.signedContents.append(make(object))
        try advance()
    }
}

extension BatchContents {
    /// Whether a document states what identifies a person.
    func statesPerson(_ statement: Statement) -> Bool {
        switch statement.content.map({ signedContents[$0] }) {
        case .transaction(let terms): terms.appAccountToken != nil || terms.appTransactionID != nil
        case .renewal(let state): state.appAccountToken != nil || state.appTransactionID != nil
        case .appTransaction(let state): state.appTransactionID != nil
        case .notification, nil: false
        }
    }

    /// Checks that a document states what its kind does, and hands on the environment,
    /// which stands with the receipt alone.
    mutating func checkContent(of receipt: VerifiedReceipt) throws(InvalidJSON) {
        guard let content = receipt.content else {
            throw InvalidJSON(what: "a \(receipt.kind.rawValue) without what it states", offset: 0)
        }
        var isOfKind = false
        switch signedContents[content] {
        case .transaction: isOfKind = receipt.kind == .signedTransaction
        case .renewal(var state):
            isOfKind = receipt.kind == .signedRenewal
            state.environment = receipt.app.environment
            signedContents[content] = .renewal(state)
        case .appTransaction: isOfKind = receipt.kind == .appTransaction
        case .notification(var state):
            isOfKind = receipt.kind == .notification
            state.environment = receipt.app.environment
            signedContents[content] = .notification(state)
        }
        try require(isOfKind, "the \(receipt.kind.rawValue) states what documents of another kind do")
        try require(
            receipt.purchases.count == (receipt.kind == .signedTransaction ? 1 : 0),
            "of signed data a transaction has one purchase, and others have none")
    }
}

extension SignedPart {
    /// The part's place in the order in which a document's parts are read and written.
    var rank: Int {
        switch self {
        case .transaction: 0
        case .renewal: 1
        case .appTransaction: 2
        }
    }
}
