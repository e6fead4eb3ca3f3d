internal import MillJSON
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// What signed documents state beside what receipts do.
extension DecodedObjects {
    mutating func readTerms(
        _ cursor: inout JSONCursor, into statement: inout ReadStatement
    ) throws(InvalidJSON) {
        typealias Revocation = TransactionTerms.Revocation
        var terms = TransactionTerms()
        var revocation = Revocation(date: 0)
        var date: Int64?
        var isFirst = true
        while let key = try termsKeys.nextKey(of: &cursor, &isFirst, depth: 2) {
            switch key {
            case .price: terms.price = try cursor.readInteger()
            case .currency: terms.currency = try text(&cursor)
            case .storefront: terms.storefront = try text(&cursor)
            case .ownership: terms.ownership = try text(&cursor)
            case .offerType: terms.offerType = try cursor.readInteger()
            case .offerID: terms.offerID = try text(&cursor)
            case .offerDiscountType: terms.offerDiscountType = try text(&cursor)
            case .offerPeriod: terms.offerPeriod = try text(&cursor)
            case .transactionReason: terms.transactionReason = try text(&cursor)
            case .subscriptionGroupID: terms.subscriptionGroupID = try text(&cursor)
            case .appAccountToken: terms.appAccountToken = try text(&cursor)
            case .appTransactionID: terms.appTransactionID = try text(&cursor)
            case .isUpgraded: terms.isUpgraded = try binary(&cursor)
            case .revocationDate: date = try time(&cursor)
            case .revocationReason: revocation.reason = try cursor.readInteger()
            case .revocationType: revocation.type = try text(&cursor)
            case .revokedShare: revocation.share = try share(&cursor)
            }
        }
        if let date {
            revocation.date = date
            terms.revocation = revocation
        } else if revocation != Revocation(date: 0) {
            throw cursor.failure("a revocation has to have its date, revocation_date_ms")
        }
        try add(.transaction(terms), to: &statement, cursor)
    }

    mutating func readRenewal(
        _ cursor: inout JSONCursor, into statement: inout ReadStatement
    ) throws(InvalidJSON) {
        var state = RenewalState()
        var isFirst = true
        while let key = try renewalKeys.nextKey(of: &cursor, &isFirst, depth: 2) {
            switch key {
            case .originalTransactionID:
                state.originalTransactionID = try text(&cursor) ?? state.originalTransactionID
            case .productID: state.productID = try text(&cursor)
            case .autoRenewProductID: state.autoRenewProductID = try text(&cursor)
            case .autoRenewStatus: state.autoRenewStatus = try cursor.readInteger()
            case .expirationIntent: state.expirationIntent = try cursor.readInteger()
            case .isInBillingRetry: state.isInBillingRetry = try binary(&cursor)
            case .gracePeriodExpiresDate: state.gracePeriodExpiresDate = try time(&cursor)
            case .renewalDate: state.renewalDate = try time(&cursor)
            case .price: state.price = try cursor.readInteger()
            case .currency: state.currency = try text(&cursor)
            case .offerType: state.offerType = try cursor.readInteger()
            case .offerID: state.offerID = try text(&cursor)
            case .priceIncreaseStatus: state.priceIncreaseStatus = try cursor.readInteger()
            case .recentSubscriptionStartDate: state.recentSubscriptionStartDate = try time(&cursor)
            case .appAccountToken: state.appAccountToken = try text(&cursor)
            case .appTransactionID: state.appTransactionID = try text(&cursor)
            }
        }
        guard !state.originalTransactionID.isEmpty else {
            throw cursor.failure("renewal has to have an original_transaction_id")
        }
        try add(.renewal(state), to: &statement, cursor)
    }

    mutating func readAppTransaction(
        _ cursor: inout JSONCursor, into statement: inout ReadStatement
    ) throws(InvalidJSON) {
        var state = AppTransactionState()
        var isFirst = true
        while let key = try appTransactionKeys.nextKey(of: &cursor, &isFirst, depth: 2) {
            switch key {
            case .originalPlatform: state.originalPlatform = try text(&cursor)
            case .appTransactionID: state.appTransactionID = try text(&cursor)
            }
        }
        try add(.appTransaction(state), to: &statement, cursor)
    }

    mutating func readNotification(
        _ cursor: inout JSONCursor, into statement: inout ReadStatement
    ) throws(InvalidJSON) {
        var state = NotificationState()
        var isFirst = true
        while let key = try notificationKeys.nextKey(of: &cursor, &isFirst, depth: 2) {
            switch key {
            case .uuid: state.uuid = try text(&cursor)
            case .type: state.type = try text(&cursor)
            case .subtype: state.subtype = try text(&cursor)
            case .status: state.status = try cursor.readInteger()
            case .consumptionRequestReason: state.consumptionRequestReason = try text(&cursor)
            }
        }
        guard state.type != nil else { throw cursor.failure("notification has to have a notification_type") }
        try add(.notification(state), to: &statement, cursor)
    }

    private mutating func add(
        _ content: SignedContent, to statement: inout ReadStatement, _ cursor: borrowing JSONCursor
    ) throws(InvalidJSON) {
        guard statement.content == nil else {
            throw cursor.failure("a document states one of terms, renewal, app_transaction and notification")
        }
        statement.content = signedContents.count
        signedContents.append(content)
    }

    /// Checks that a document states what its kind does, and hands on the environment,
    /// which stands with the receipt alone.
    mutating func checkContent(
        _ statement: ReadStatement, _ receipt: VerifiedReceipt, _ purchases: Range<Int>
    ) throws(InvalidJSON) {
        guard let content = statement.content else {
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
            purchases.count == (receipt.kind == .signedTransaction ? 1 : 0),
            "of signed data a transaction has one purchase, and others have none")
    }

    /// Whether a document states what identifies a person.
    func statesPerson(_ statement: ReadStatement) -> Bool {
        switch statement.content.map({ signedContents[$0] }) {
        case .transaction(let terms): terms.appAccountToken != nil || terms.appTransactionID != nil
        case .renewal(let state): state.appAccountToken != nil || state.appTransactionID != nil
        case .appTransaction(let state): state.appTransactionID != nil
        case .notification, nil: false
        }
    }

    /// 0 or 1.
    private func binary(_ cursor: inout JSONCursor) throws(InvalidJSON) -> Bool? {
        guard let number = try cursor.readInteger() else { return nil }
        guard number == 0 || number == 1 else { throw cursor.failure("expected 0 or 1") }
        return number == 1
    }

    /// A number from 0 to 1.
    private func share(_ cursor: inout JSONCursor) throws(InvalidJSON) -> Double? {
        let token = try cursor.readValue(depth: 2)
        if token.kind == .null { return nil }
        guard token.kind == .number, let share = JSONNumber.double(cursor.bytes, in: token.range),
            (0...1).contains(share)
        else { throw cursor.failure("expected a number from 0 to 1") }
        return share
    }
}
