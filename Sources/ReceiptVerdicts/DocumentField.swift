package import ReceiptFormat
package import ReceiptVerification
internal import SignedDataFormat

/// A value of a verified document, as shown by the C interface, SQL and Arrow.
package enum DocumentValue: Sendable {
    /// A text of the document, as a range of the batch's bytes.
    case text(ByteRange)
    /// A text of the program's own, such as a verdict.
    case word(String)
    case integer(Int64)
}

/// The type of a field's values.
package enum DocumentValueType: Sendable {
    case text, integer
    /// Milliseconds since 1970 UTC.
    case time
}

/// A field of a verified document. The raw values are those of the C interface, which never change.
package enum DocumentField: Int32, CaseIterable, Sendable {
    case verdict, kind, detail, rejection, sha256, environment
    case bundleID, createdAt, transactionID, originalTransactionID, productID, purchaseCount

    /// The name of the column in SQL and Arrow.
    package var name: String {
        switch self {
        case .verdict: "verdict"
        case .kind: "kind"
        case .detail: "detail"
        case .rejection: "rejection"
        case .sha256: "sha256"
        case .environment: "environment"
        case .bundleID: "bundle_id"
        case .createdAt: "created_at"
        case .transactionID: "transaction_id"
        case .originalTransactionID: "original_transaction_id"
        case .productID: "product_id"
        case .purchaseCount: "purchase_count"
        }
    }

    package var type: DocumentValueType {
        switch self {
        case .createdAt: .time
        case .purchaseCount: .integer
        default: .text
        }
    }

    /// The word that replaces the verdict for a document that can't be read.
    package static let unreadable = "unreadable"

    /// The value of a row; nil if the document does not state one.
    package func value(of row: VerifiedDocumentList.Row, in documents: VerifiedDocumentList) -> DocumentValue? {
        let receipt = documents.receipt(of: row)
        switch self {
        case .verdict: return .word(receipt?.verification.verdict.rawValue ?? Self.unreadable)
        case .kind: return (receipt?.kind.rawValue).map { .word($0) }
        case .detail: return (receipt?.verification.detail ?? row.fault?.detail).map { .word($0) }
        case .rejection: return (row.fault?.reason.rawValue).map { .word($0) }
        case .sha256: return (receipt?.digest.hex).map { .word($0) }
        case .environment: return (receipt?.app.environment).map { .text($0) }
        case .bundleID: return (receipt?.app.bundleIdentifier).map { .text($0) }
        case .createdAt: return (receipt?.app.receiptCreationDate).map { .integer($0) }
        case .purchaseCount: return receipt.map { _ in .integer(Int64(documents.purchases(of: row).count)) }
        case .transactionID, .originalTransactionID, .productID:
            return documents.statement(of: row).flatMap { text(of: $0, in: documents) }.map { .text($0) }
        }
    }

    private func text(of statement: VerifiedReceipt, in documents: VerifiedDocumentList) -> ByteRange? {
        let purchase = documents.batch.purchases[statement.purchases].first
        let payload = documents.payload(of: statement)
        switch self {
        case .transactionID: return purchase?.transactionIdentifier
        case .originalTransactionID: return purchase?.originalTransactionIdentifier ?? payload?[.originalTransactionID]
        case .productID: return purchase?.productIdentifier ?? payload?[.productID]
        default: return nil
        }
    }
}

/// A field of a purchase. The raw values are those of the C interface, which never change.
package enum PurchaseField: Int32, CaseIterable, Sendable {
    case verdict, transactionID, originalTransactionID, productID, productType, quantity
    case purchaseDate, originalPurchaseDate, expiresDate, cancellationDate
    case isTrialPeriod, isInIntroOfferPeriod, promotionalOfferID, webOrderLineItemID, priceMilliunits, currency

    /// The name of the column in SQL and Arrow.
    package var name: String {
        switch self {
        case .verdict: "verdict"
        case .transactionID: "transaction_id"
        case .originalTransactionID: "original_transaction_id"
        case .productID: "product_id"
        case .productType: "product_type"
        case .quantity: "quantity"
        case .purchaseDate: "purchase_date"
        case .originalPurchaseDate: "original_purchase_date"
        case .expiresDate: "expires_date"
        case .cancellationDate: "cancellation_date"
        case .isTrialPeriod: "is_trial_period"
        case .isInIntroOfferPeriod: "is_in_intro_offer_period"
        case .promotionalOfferID: "promotional_offer_id"
        case .webOrderLineItemID: "web_order_line_item_id"
        case .priceMilliunits: "price_milliunits"
        case .currency: "currency"
        }
    }

    package var type: DocumentValueType {
        switch self {
        case .verdict, .transactionID, .originalTransactionID, .productID, .promotionalOfferID, .currency: .text
        case .purchaseDate, .originalPurchaseDate, .expiresDate, .cancellationDate: .time
        case .productType, .quantity, .isTrialPeriod, .isInIntroOfferPeriod, .webOrderLineItemID, .priceMilliunits:
            .integer
        }
    }

    private static let price = SignedField.named("price")?.slot
    private static let currencySlot = SignedField.named("currency")?.slot

    /// The value of a purchase; nil if its document does not state one. The verdict is that of the document that states
    /// the purchase.
    package func value(
        of purchase: InAppPurchase, by receipt: VerifiedReceipt, in documents: VerifiedDocumentList
    ) -> DocumentValue? {
        switch self {
        case .verdict: .word(receipt.verification.verdict.rawValue)
        case .transactionID: .text(purchase.transactionIdentifier)
        case .originalTransactionID: purchase.originalTransactionIdentifier.map { .text($0) }
        case .productID: purchase.productIdentifier.map { .text($0) }
        case .productType: purchase.productType.map { .integer($0) }
        case .quantity: purchase.quantity.map { .integer($0) }
        case .purchaseDate: purchase.purchaseDate.map { .integer($0) }
        case .originalPurchaseDate: purchase.originalPurchaseDate.map { .integer($0) }
        case .expiresDate: purchase.expiresDate.map { .integer($0) }
        case .cancellationDate: purchase.cancellationDate.map { .integer($0) }
        case .isTrialPeriod: purchase.isTrialPeriod.map { .integer($0) }
        case .isInIntroOfferPeriod: purchase.isInIntroOfferPeriod.map { .integer($0) }
        case .promotionalOfferID: purchase.promotionalOfferIdentifier.map { .text($0) }
        case .webOrderLineItemID: purchase.webOrderLineItemID.map { .integer($0) }
        case .priceMilliunits:
            if case .number(let slot) = Self.price {
                documents.payload(of: receipt)?[number: slot].map { .integer($0) }
            } else {
                nil
            }
        case .currency:
            if case .text(let slot) = Self.currencySlot {
                documents.payload(of: receipt)?[text: slot].map { .text($0) }
            } else {
                nil
            }
        }
    }
}
