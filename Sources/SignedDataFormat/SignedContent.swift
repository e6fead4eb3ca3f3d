package import ReceiptFormat

/// What a signed document states beside what receipts do. Texts are ranges of the
/// buffer that the payload was parsed in.
package enum SignedContent: Sendable, Hashable {
    case transaction(TransactionTerms)
    case renewal(RenewalState)
    case appTransaction(AppTransactionState)
    case notification(NotificationState)

    /// The content of a payload.
    package init(_ payload: SignedPayload) {
        switch payload.kind {
        case .signedRenewal: self = .renewal(RenewalState(payload))
        case .appTransaction: self = .appTransaction(AppTransactionState(payload))
        case .notification: self = .notification(NotificationState(payload))
        case .signedTransaction, .appReceipt, .transactionReceipt: self = .transaction(TransactionTerms(payload))
        }
    }
}

/// The terms of a transaction, which receipts don't state.
package struct TransactionTerms: Sendable, Hashable {
    /// Milliunits of `currency`, for the whole quantity.
    package var price: Int64?
    package var currency, storefront, ownership: ByteRange?
    package var offerType: Int64?
    package var offerID, offerDiscountType, offerPeriod: ByteRange?
    package var transactionReason, subscriptionGroupID, appAccountToken, appTransactionID: ByteRange?
    package var isUpgraded: Bool?
    package var revocation: Revocation?

    /// A revocation, dated as the purchase's cancellation is.
    package struct Revocation: Sendable, Hashable {
        package var date: Int64
        package var reason: Int64?
        package var type: ByteRange?
        /// Of the price, 0 to 1.
        package var share: Double?

        package init(date: Int64, reason: Int64? = nil, type: ByteRange? = nil, share: Double? = nil) {
            (self.date, self.reason, self.type, self.share) = (date, reason, type, share)
        }
    }

    package init() {}

    init(_ payload: SignedPayload) {
        (price, currency, storefront) = (payload.price, payload.currency, payload.storefront)
        (ownership, transactionReason) = (payload.ownership, payload.transactionReason)
        (offerType, offerID) = (payload.offerType, payload.offerID)
        (offerDiscountType, offerPeriod) = (payload.offerDiscountType, payload.offerPeriod)
        subscriptionGroupID = payload.subscriptionGroupID
        (appAccountToken, appTransactionID) = (payload.appAccountToken, payload.appTransactionID)
        isUpgraded = payload.isUpgraded
        revocation = payload.revocationDate.map { date in
            Revocation(
                date: date, reason: payload.revocationReason, type: payload.revocationType,
                share: payload.revocationPercentage.flatMap(Self.share))
        }
    }

    /// A share out of thousandths of a percent (Apple, JWSTransactionDecodedPayload);
    /// nil beyond the whole.
    private static func share(_ milliPercent: Int64) -> Double? {
        (0...100_000).contains(milliPercent) ? Double(milliPercent) / 100_000 : nil
    }
}

/// The state of a subscription's renewal.
package struct RenewalState: Sendable, Hashable {
    package var environment: ByteRange?
    package var originalTransactionID = ByteRange(offset: 0, count: 0)
    package var productID, autoRenewProductID, currency, offerID: ByteRange?
    package var autoRenewStatus, expirationIntent, price, offerType, priceIncreaseStatus: Int64?
    package var isInBillingRetry: Bool?
    package var gracePeriodExpiresDate, renewalDate, recentSubscriptionStartDate: Int64?
    package var appAccountToken, appTransactionID: ByteRange?

    package init() {}

    init(_ payload: SignedPayload) {
        environment = payload.environment
        originalTransactionID = payload.originalTransactionID ?? originalTransactionID
        (productID, autoRenewProductID) = (payload.productID, payload.autoRenewProductID)
        (currency, price) = (payload.currency, payload.renewalPrice)
        (offerID, offerType) = (payload.offerID, payload.offerType)
        (autoRenewStatus, expirationIntent) = (payload.autoRenewStatus, payload.expirationIntent)
        (priceIncreaseStatus, isInBillingRetry) = (payload.priceIncreaseStatus, payload.isInBillingRetry)
        gracePeriodExpiresDate = payload.gracePeriodExpiresDate
        renewalDate = payload.renewalDate
        recentSubscriptionStartDate = payload.recentSubscriptionStartDate
        (appAccountToken, appTransactionID) = (payload.appAccountToken, payload.appTransactionID)
    }
}

/// What an app transaction states beside what app receipts do.
package struct AppTransactionState: Sendable, Hashable {
    package var originalPlatform, appTransactionID: ByteRange?

    package init() {}

    init(_ payload: SignedPayload) {
        (originalPlatform, appTransactionID) = (payload.originalPlatform, payload.appTransactionID)
    }
}

/// A notification without the documents that it holds.
package struct NotificationState: Sendable, Hashable {
    package var environment: ByteRange?
    package var uuid, type, subtype, consumptionRequestReason: ByteRange?
    package var status: Int64?

    package init() {}

    init(_ payload: SignedPayload) {
        (environment, uuid, type) = (payload.environment, payload.notificationUUID, payload.notificationType)
        (subtype, status) = (payload.subtype, payload.status)
        consumptionRequestReason = payload.consumptionRequestReason
    }
}

extension SignedPayload {
    /// Whether it states what identifies a person: the account's token, or the number
    /// of its app transaction.
    package var statesPerson: Bool { appAccountToken != nil || appTransactionID != nil }

    /// What it states of the app, so that all kinds of documents can be treated alike.
    package var app: AppReceipt {
        var app = AppReceipt()
        app.environment = environment
        app.appItemID = appAppleID
        app.bundleIdentifier = bundleID
        app.receiptCreationDate = signedDate
        guard kind == .appTransaction else { return app }
        app.appVersion = applicationVersion
        app.versionExternalIdentifier = versionExternalIdentifier
        app.originalPurchaseDate = originalPurchaseDate
        app.originalApplicationVersion = originalApplicationVersion
        app.preorderDate = preorderDate
        return app
    }

    /// The purchase of a transaction, nil of other kinds.
    package func purchase(in bytes: Span<UInt8>) -> InAppPurchase? {
        guard kind == .signedTransaction, let transactionID else { return nil }
        let reader = ByteReader(bytes)
        var purchase = InAppPurchase(transactionIdentifier: transactionID)
        purchase.originalTransactionIdentifier = originalTransactionID
        purchase.productIdentifier = productID
        purchase.quantity = quantity
        purchase.productType = type.map { type in
            Self.productTypes.first { reader.matches(type, $0.name) }?.number ?? -1
        }
        purchase.purchaseDate = purchaseDate
        purchase.originalPurchaseDate = originalPurchaseDate
        purchase.expiresDate = expiresDate
        purchase.cancellationDate = revocationDate
        purchase.cancellationReason = revocationReason
        purchase.webOrderLineItemID = webOrderLineItemID
        let isFree = offerDiscountType.map { reader.matches($0, "FREE_TRIAL") }
        if offerType != 1 || isFree != nil {
            purchase.isTrialPeriod = isFree == true ? 1 : 0
            purchase.isInIntroOfferPeriod = offerType == 1 && isFree == false ? 1 : 0
        }
        if offerType == 2 { purchase.promotionalOfferIdentifier = offerID }
        return purchase
    }

    /// The numbers of attribute 1707, by the names that signed data has for them.
    private static let productTypes: [(name: StaticString, number: Int64)] = [
        ("Auto-Renewable Subscription", 3), ("Non-Consumable", 0), ("Consumable", 1),
        ("Non-Renewing Subscription", 2),
    ]

    /// The signed strings that it holds, in the order of their names.
    package var parts: [(part: SignedPart, text: ByteRange)] {
        [
            signedTransaction.map { (.transaction, $0) }, signedRenewal.map { (.renewal, $0) },
            signedAppTransaction.map { (.appTransaction, $0) },
        ].compactMap { $0 }
    }
}
