internal import DecodedLines
public import ReceiptFormat
public import ReceiptTrust
internal import ReceiptVerification

/// A document with its verdict. If it is not trusted, nothing that it states is proved.
public struct VerifiedDocument: Sendable {
    package let documents: VerifiedDocumentList
    package let row: VerifiedDocumentList.Row

    package init(_ documents: VerifiedDocumentList) { (self.documents, row) = (documents, documents.rows[0]) }

    /// The verdict by the rules of docs/trust.md; nil if the document can't be read.
    public var verdict: Verdict? { documents.receipt(of: row)?.verification.verdict }

    /// Whether Apple signed the document.
    public var isTrusted: Bool { verdict == .trusted }

    /// The reason for not trusting the document, or why it can't be read; nil if it is trusted.
    public var detail: String? { documents.receipt(of: row)?.verification.detail ?? row.fault?.detail }

    /// The kind of the document; nil if it can't be read.
    public var kind: ReceiptKind? { documents.receipt(of: row)?.kind }

    /// The SHA-256 of a receipt's bytes or of a signed string's characters; nil if the document can't be read.
    public var sha256: SHA256Digest? { documents.receipt(of: row)?.digest }

    /// Apple's name of the environment, such as `Production`; `ProductionSandbox` is the sandbox, as in receipts.
    public var environment: DocumentText? { text(.environment) }

    /// The bundle identifier of the app.
    public var bundleIdentifier: DocumentText? { text(.bundleID) }

    /// When Apple signed the document, in milliseconds since 1970 UTC.
    public var creationDate: Int64? { documents.receipt(of: row)?.app.receiptCreationDate }

    /// The purchases that the document states: the one of a transaction, all of an app receipt, or the one of the
    /// transaction inside a notification.
    public var purchases: [VerifiedPurchase] {
        documents.purchases(of: row).map { VerifiedPurchase($0, by: $1, in: documents) }
    }

    /// All fields of the document as a line of JSON (docs/decode-format.md).
    public var json: String {
        var writer = DecodedLineWriter(apps: [], pseudonymKey: nil, keepsReceipts: false)
        let line = writer.write(documents.batch, of: nil, atLine: 1).text
        return DocumentText(decoding: line.dropLast()).string
    }

    private func text(_ field: DocumentField) -> DocumentText? {
        guard case .text(let range) = field.value(of: row, in: documents) else { return nil }
        return documents.text(range)
    }
}

/// A purchase of a verified document.
public struct VerifiedPurchase: Sendable {
    /// The verdict on the document that states the purchase, which may be inside a notification.
    public let verdict: Verdict
    /// The identifier of the transaction.
    public let transactionIdentifier: DocumentText
    /// The identifier of the transaction that was restored or renewed.
    public let originalTransactionIdentifier: DocumentText?
    /// The identifier of the product.
    public let productIdentifier: DocumentText?
    /// The number of items that were bought.
    public let quantity: Int64?
    /// When the product was bought or renewed, in milliseconds since 1970 UTC.
    public let purchaseDate: Int64?
    /// When the period of a subscription ends, in milliseconds since 1970 UTC.
    public let expiresDate: Int64?
    /// When the purchase was refunded or revoked, in milliseconds since 1970 UTC.
    public let cancellationDate: Int64?

    init(_ purchase: InAppPurchase, by receipt: VerifiedReceipt, in documents: VerifiedDocumentList) {
        verdict = receipt.verification.verdict
        transactionIdentifier = documents.text(purchase.transactionIdentifier)
        originalTransactionIdentifier = purchase.originalTransactionIdentifier.map { documents.text($0) }
        productIdentifier = purchase.productIdentifier.map { documents.text($0) }
        (quantity, purchaseDate) = (purchase.quantity, purchase.purchaseDate)
        (expiresDate, cancellationDate) = (purchase.expiresDate, purchase.cancellationDate)
    }
}

extension VerifiedDocumentList {
    fileprivate func text(_ range: ByteRange) -> DocumentText { DocumentText(decoding: batch.bytes[range.indices]) }
}
