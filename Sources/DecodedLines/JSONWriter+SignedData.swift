internal import MillJSON
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// What signed documents state beside what receipts do, as a member of a decoded line.
extension JSONWriter {
    mutating func write(_ content: SignedContent, _ bytes: UnsafeBufferPointer<UInt8>) {
        switch content {
        case .transaction(let terms): write(terms, bytes)
        case .renewal(let state): write(state, bytes)
        case .appTransaction(let state): write(state, bytes)
        case .notification(let state): write(state, bytes)
        }
    }

    private mutating func write(_ terms: TransactionTerms, _ bytes: UnsafeBufferPointer<UInt8>) {
        typealias Key = DecodedKeys.Terms
        open(DecodedKeys.Part.terms.name)
        member(Key.price, terms.price)
        text(Key.currency, bytes.part(terms.currency))
        text(Key.storefront, bytes.part(terms.storefront))
        text(Key.ownership, bytes.part(terms.ownership))
        member(Key.offerType, terms.offerType)
        text(Key.offerID, bytes.part(terms.offerID))
        text(Key.offerDiscountType, bytes.part(terms.offerDiscountType))
        text(Key.offerPeriod, bytes.part(terms.offerPeriod))
        text(Key.transactionReason, bytes.part(terms.transactionReason))
        text(Key.subscriptionGroupID, bytes.part(terms.subscriptionGroupID))
        text(Key.appAccountToken, bytes.part(terms.appAccountToken))
        text(Key.appTransactionID, bytes.part(terms.appTransactionID))
        member(Key.isUpgraded, terms.isUpgraded.map { $0 ? 1 : 0 })
        if let revocation = terms.revocation {
            member(Key.revocationDate, revocation.date)
            member(Key.revocationReason, revocation.reason)
            text(Key.revocationType, bytes.part(revocation.type))
            if let share = revocation.share {
                key(Key.revokedShare.name)
                // The shortest text that reads back as the same number.
                written(Array("\(share)".utf8))
            }
        }
        close()
    }

    private mutating func write(_ state: RenewalState, _ bytes: UnsafeBufferPointer<UInt8>) {
        typealias Key = DecodedKeys.Renewal
        open(DecodedKeys.Part.renewal.name)
        text(Key.originalTransactionID, bytes.part(state.originalTransactionID))
        text(Key.productID, bytes.part(state.productID))
        text(Key.autoRenewProductID, bytes.part(state.autoRenewProductID))
        member(Key.autoRenewStatus, state.autoRenewStatus)
        member(Key.expirationIntent, state.expirationIntent)
        member(Key.isInBillingRetry, state.isInBillingRetry.map { $0 ? 1 : 0 })
        member(Key.gracePeriodExpiresDate, state.gracePeriodExpiresDate)
        member(Key.renewalDate, state.renewalDate)
        member(Key.price, state.price)
        text(Key.currency, bytes.part(state.currency))
        member(Key.offerType, state.offerType)
        text(Key.offerID, bytes.part(state.offerID))
        member(Key.priceIncreaseStatus, state.priceIncreaseStatus)
        member(Key.recentSubscriptionStartDate, state.recentSubscriptionStartDate)
        text(Key.appAccountToken, bytes.part(state.appAccountToken))
        text(Key.appTransactionID, bytes.part(state.appTransactionID))
        close()
    }

    private mutating func write(_ state: AppTransactionState, _ bytes: UnsafeBufferPointer<UInt8>) {
        typealias Key = DecodedKeys.AppTransaction
        open(DecodedKeys.Part.appTransaction.name)
        text(Key.originalPlatform, bytes.part(state.originalPlatform))
        text(Key.appTransactionID, bytes.part(state.appTransactionID))
        close()
    }

    private mutating func write(_ state: NotificationState, _ bytes: UnsafeBufferPointer<UInt8>) {
        typealias Key = DecodedKeys.Notification
        open(DecodedKeys.Part.notification.name)
        text(Key.uuid, bytes.part(state.uuid))
        text(Key.type, bytes.part(state.type))
        text(Key.subtype, bytes.part(state.subtype))
        member(Key.status, state.status)
        text(Key.consumptionRequestReason, bytes.part(state.consumptionRequestReason))
        close()
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
