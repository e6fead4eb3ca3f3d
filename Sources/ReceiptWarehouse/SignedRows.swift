internal import GRDB
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// Inserts what signed documents state beside what receipts do: one row for each that
/// states it, under the document's number.
///
/// For use inside a database access only, as its statements are.
struct SignedRows {
    private let part, revocation, renewal, appTransaction, notification: LoaderStatement

    init(_ db: Database) throws(MillError) {
        func insertion(
            into table: String, _ columns: [String], _ clause: String = ""
        ) throws(MillError) -> LoaderStatement {
            let values = columns.map { _ in "?" }.joined(separator: ", ")
            return try LoaderStatement(
                db, "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values)) \(clause)")
        }
        // Every line with a document names its parts, whether the document is new or not.
        part = try insertion(
            into: "receipt_part", ["receipt_id", "part", "part_receipt_id"], "ON CONFLICT DO NOTHING")
        revocation = try insertion(
            into: "revocation",
            ["receipt_id", "revocation_date", "revocation_reason", "revocation_type", "revoked_share"])
        renewal = try insertion(
            into: "renewal",
            [
                "receipt_id", "environment", "original_transaction_id", "signed_at", "product_number",
                "auto_renew_product_number", "auto_renew_status", "expiration_intent", "is_in_billing_retry",
                "grace_period_expires_date", "renewal_date", "renewal_price_milliunits", "currency", "offer_type",
                "offer_id", "price_increase_status", "recent_subscription_start_date", "app_account_token",
                "app_transaction_id",
            ])
        appTransaction = try insertion(
            into: "app_transaction", ["receipt_id", "original_platform", "app_transaction_id"])
        notification = try insertion(
            into: "notification",
            [
                "receipt_id", "environment", "notification_uuid", "notification_type", "subtype", "status",
                "consumption_request_reason",
            ])
    }

    func insert(_ name: SignedPart, of holder: Int64, receipt: Int64) throws(MillError) {
        part.bind(1, holder)
        part.bindCopy(2, name.rawValue)
        part.bind(3, receipt)
        try part.run()
    }

    func insert(
        _ stated: TransactionTerms.Revocation, of receipt: Int64, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(MillError) {
        revocation.bind(1, receipt)
        revocation.bind(2, stated.date)
        revocation.bind(3, stated.reason)
        revocation.bindText(4, bytes.part(stated.type))
        revocation.bindReal(5, stated.share)
        try revocation.run()
    }

    func insert(
        _ state: RenewalState, of receipt: Int64, signedAt: Int64, _ bytes: UnsafeBufferPointer<UInt8>,
        _ catalog: inout Catalog
    ) throws(MillError) {
        var texts = TextTable()
        renewal.bind(1, receipt)
        renewal.bindText(2, orEmpty: bytes.part(state.environment) ?? UnsafeBufferPointer(start: nil, count: 0))
        let subscription = TransactionIdentifier(bytes.part(state.originalTransactionID), texts: &texts)
        if subscription.code >= 0 {
            renewal.bind(3, subscription.code)
        } else {
            renewal.bindText(3, bytes.part(state.originalTransactionID))
        }
        renewal.bind(4, signedAt)
        renewal.bind(5, try catalog.product(bytes.part(state.productID)))
        renewal.bind(6, try catalog.product(bytes.part(state.autoRenewProductID)))
        renewal.bind(7, state.autoRenewStatus)
        renewal.bind(8, state.expirationIntent)
        renewal.bind(9, state.isInBillingRetry.map { $0 ? 1 : 0 })
        renewal.bind(10, state.gracePeriodExpiresDate)
        renewal.bind(11, state.renewalDate)
        renewal.bind(12, state.price)
        renewal.bindText(13, bytes.part(state.currency))
        renewal.bind(14, state.offerType)
        renewal.bindText(15, bytes.part(state.offerID))
        renewal.bind(16, state.priceIncreaseStatus)
        renewal.bind(17, state.recentSubscriptionStartDate)
        renewal.bindText(18, bytes.part(state.appAccountToken))
        renewal.bindText(19, bytes.part(state.appTransactionID))
        try renewal.run()
    }

    func insert(
        _ state: AppTransactionState, of receipt: Int64, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(MillError) {
        appTransaction.bind(1, receipt)
        appTransaction.bindText(2, bytes.part(state.originalPlatform))
        appTransaction.bindText(3, bytes.part(state.appTransactionID))
        try appTransaction.run()
    }

    func insert(
        _ state: NotificationState, of receipt: Int64, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(MillError) {
        notification.bind(1, receipt)
        notification.bindText(2, orEmpty: bytes.part(state.environment) ?? UnsafeBufferPointer(start: nil, count: 0))
        notification.bindText(3, bytes.part(state.uuid))
        notification.bindText(4, bytes.part(state.type))
        notification.bindText(5, bytes.part(state.subtype))
        notification.bind(6, state.status)
        notification.bindText(7, bytes.part(state.consumptionRequestReason))
        try notification.run()
    }
}
