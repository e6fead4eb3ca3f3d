internal import GRDB
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptVerification
internal import SignedDataFormat

/// The rows of what signed documents state beside what receipts do: one for each that
/// states it, under the document's number.
///
/// For use inside a database access only, as its statements are.
struct SignedRows {
    /// Rows that wait for those of their batch, and the statement that inserts them.
    private struct Table {
        var rows: RowBuffer
        private let insertion: LoaderStatement

        init(_ db: Database, _ name: String, _ columns: [String], _ clause: String = "") throws(MillError) {
            rows = RowBuffer(columnCount: columns.count)
            insertion = try LoaderStatement(db, "\(Rows.insert(into: name, columns)) \(clause)")
        }

        mutating func insert() throws(MillError) {
            try insertion.run(rows)
            rows.removeAll()
        }
    }

    private var parts, renewals, appTransactions, notifications: Table
    /// Few have one.
    private let revocation: LoaderStatement

    init(_ db: Database) throws(MillError) {
        // Every line with a document names its parts, whether the document is new or not.
        parts = try Table(db, "receipt_part", ["receipt_id", "part", "part_receipt_id"], "ON CONFLICT DO NOTHING")
        renewals = try Table(
            db, "renewal",
            [
                "receipt_id", "environment", "original_transaction_id", "signed_at", "product_number",
                "auto_renew_product_number", "auto_renew_status", "expiration_intent", "is_in_billing_retry",
                "grace_period_expires_date", "renewal_date", "renewal_price_milliunits", "currency", "offer_type",
                "offer_id", "price_increase_status", "recent_subscription_start_date", "app_account_token",
                "app_transaction_id",
            ])
        appTransactions = try Table(
            db, "app_transaction", ["receipt_id", "original_platform", "app_transaction_id"])
        notifications = try Table(
            db, "notification",
            [
                "receipt_id", "environment", "notification_uuid", "notification_type", "subtype", "status",
                "consumption_request_reason",
            ])
        revocation = try LoaderStatement(
            db,
            """
            INSERT INTO revocation (receipt_id, revocation_date, revocation_reason, revocation_type, revoked_share)
            VALUES (?, ?, ?, ?, ?)
            """)
    }

    mutating func put(_ name: SignedPart, of holder: Int64, receipt: Int64) {
        parts.rows.begin()
        parts.rows.put(holder)
        parts.rows.putText(name.rawValue)
        parts.rows.put(receipt)
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

    mutating func put(
        _ state: RenewalState, of receipt: Int64, signedAt: Int64, _ bytes: UnsafeBufferPointer<UInt8>,
        _ catalog: inout Catalog
    ) throws(MillError) {
        let product = try catalog.product(bytes.part(state.productID))
        let renewed = try catalog.product(bytes.part(state.autoRenewProductID))
        var texts = TextTable()
        let subscription = TransactionIdentifier(bytes.part(state.originalTransactionID), texts: &texts)
        renewals.rows.begin()
        renewals.rows.put(receipt)
        renewals.rows.putText(orEmpty: bytes.part(state.environment))
        subscription.put(into: &renewals.rows, texts: texts)
        renewals.rows.put(signedAt)
        renewals.rows.put(product)
        renewals.rows.put(renewed)
        renewals.rows.put(state.autoRenewStatus)
        renewals.rows.put(state.expirationIntent)
        renewals.rows.put(state.isInBillingRetry.map { $0 ? 1 : 0 })
        renewals.rows.put(state.gracePeriodExpiresDate)
        renewals.rows.put(state.renewalDate)
        renewals.rows.put(state.price)
        renewals.rows.putText(bytes.part(state.currency))
        renewals.rows.put(state.offerType)
        renewals.rows.putText(bytes.part(state.offerID))
        renewals.rows.put(state.priceIncreaseStatus)
        renewals.rows.put(state.recentSubscriptionStartDate)
        renewals.rows.putText(bytes.part(state.appAccountToken))
        renewals.rows.putText(bytes.part(state.appTransactionID))
    }

    mutating func put(_ state: AppTransactionState, of receipt: Int64, _ bytes: UnsafeBufferPointer<UInt8>) {
        appTransactions.rows.begin()
        appTransactions.rows.put(receipt)
        appTransactions.rows.putText(bytes.part(state.originalPlatform))
        appTransactions.rows.putText(bytes.part(state.appTransactionID))
    }

    mutating func put(_ state: NotificationState, of receipt: Int64, _ bytes: UnsafeBufferPointer<UInt8>) {
        notifications.rows.begin()
        notifications.rows.put(receipt)
        notifications.rows.putText(orEmpty: bytes.part(state.environment))
        notifications.rows.putText(bytes.part(state.uuid))
        notifications.rows.putText(bytes.part(state.type))
        notifications.rows.putText(bytes.part(state.subtype))
        notifications.rows.put(state.status)
        notifications.rows.putText(bytes.part(state.consumptionRequestReason))
    }

    /// Inserts the rows that were put.
    mutating func insertBatch() throws(MillError) {
        try parts.insert()
        try renewals.insert()
        try appTransactions.insert()
        try notifications.insert()
    }
}
