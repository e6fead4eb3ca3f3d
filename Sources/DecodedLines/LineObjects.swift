internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// A decoded line (docs/decode-format.md).
struct DecodedLine: DecodedObject {
    /// The format's version.
    static let schema: Int64 = 2
    /// The versions that are read: the first knows one receipt in a line, and no signed data.
    static let readableSchemas = 1...schema

    static let refusesRepetition = true

    var schema: Int64?
    var archive: ArchiveID?
    var number: Int64?
    /// The document that stands in the line itself.
    var first = LineDocument()
    /// The documents behind the first, and what can't be read of one that is a submission.
    var others: [LineDocument] = []
    var isLast = false

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.integer("schema", &schema)
        try visitor.archive("archive", &archive)
        try visitor.integer("line", &number)
        try first.visitContent(with: &visitor)
        try visitor.objects("documents", &others)
        try visitor.flag("last", &isLast)
    }
}

/// An archive, which every line of a file by name states.
struct ArchiveMembers: DecodedObject {
    var name = ""
    var sha256: SHA256Digest?
    var bytes: Int64?

    init() {}

    init(_ id: ArchiveID) { (name, sha256, bytes) = (id.name, id.sha256, id.bytes) }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.string("name", &name)
        try visitor.digest("sha256", &sha256)
        try visitor.count("bytes", &bytes)
    }

    func fault(behind others: [ArchiveMembers]) -> String? {
        id == nil ? "archive has to have a name, a sha256 and bytes" : nil
    }

    var id: ArchiveID? {
        guard !name.isEmpty, let sha256, let bytes, bytes >= 0 else { return nil }
        return ArchiveID(name: name, sha256: sha256, bytes: bytes)
    }
}

/// A document of a line: a submission or a rejection.
struct LineDocument: DecodedObject {
    static let refusesRepetition = true

    /// Which of the line's documents, from 1; the first states none.
    var number: Int64?
    var submission: SubmissionMembers?
    var statement = Statement()
    /// What it holds, in the order of the line; none twice.
    var parts: [LinePart] = []
    var rejection: RejectionMembers?

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.integer("document", &number)
        try visitContent(with: &visitor)
    }

    /// Visits what the first document of a line has in the line itself.
    mutating func visitContent<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.object("submission", &submission)
        try statement.visitContent(with: &visitor)
        try visitor.objects("parts", &parts)
        try visitor.object("rejection", &rejection)
    }

    func fault(behind others: [LineDocument]) -> String? {
        number == nil ? "one of the documents has to have its number, document" : nil
    }
}

/// A document that another holds.
struct LinePart: DecodedObject {
    static let refusesRepetition = true

    var part: SignedPart?
    var statement = Statement()

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.word("part", &part)
        try statement.visitContent(with: &visitor)
    }

    func fault(behind others: [LinePart]) -> String? {
        guard part != nil, statement.receipt != nil, statement.purchases != nil else {
            return "a part has to have its name, part, a receipt and purchases"
        }
        return others.contains { $0.part == part } ? "a part stands twice" : nil
    }
}

/// What a document states.
struct Statement {
    var receipt: ReceiptMembers?
    /// A range of the batch's purchases.
    var purchases: Range<Int>?
    /// Index among the batch's contents of signed documents.
    var content: Int?
    /// Whether more issuers could make a better verdict of the receipt, which is there whole.
    var isReviewable = false

    mutating func visitContent<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.object("receipt", &receipt)
        try visitor.purchases("purchases", &purchases)
        try visitor.content(&content)
    }

    /// The receipt as the loader takes it; nil of a rejection.
    var verified: VerifiedReceipt? {
        guard let receipt, let purchases, let digest = receipt.digest, let kind = receipt.kind,
            let verdict = receipt.verdict
        else { return nil }
        return VerifiedReceipt(
            digest: digest, kind: kind, bytes: Int(receipt.bytes ?? 0), app: receipt.app, purchases: purchases,
            content: content,
            verification: Verification(
                verdict: verdict, detail: receipt.detail, digestAlgorithm: receipt.digestAlgorithm,
                signer: receipt.signer),
            whole: receipt.octets, reviewable: isReviewable ? receipt.octets : nil)
    }
}

struct SubmissionMembers: DecodedObject {
    var device, account: ByteRange?
    /// The key by which device and account are named; nil where they are as the archives write them.
    var pseudonymKey: [UInt8]?
    var submittedAt: Int64?
    var deviceCheck: DeviceCheck?
    var appCheck: AppCheck?

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.text("device_id", &device)
        try visitor.text("account_id", &account)
        try visitor.fingerprint("pseudonym_key", &pseudonymKey)
        try visitor.time("submitted_at_ms", &submittedAt)
        try visitor.word("device_check", &deviceCheck)
        try visitor.derivedWord("app_check", appCheck)
    }

    func fault(behind others: [SubmissionMembers]) -> String? {
        deviceCheck == nil ? "submission has to have a device_check" : nil
    }
}

struct ReceiptMembers: DecodedObject {
    static let refusesRepetition = true

    var digest: SHA256Digest?
    var kind: ReceiptKind?
    var verdict: Verdict?
    var detail: String?
    var app = AppReceipt()
    var digestAlgorithm = ""
    var signer: String?
    var purchaseCount, bytes: Int64?
    var issuers: [IssuerCertificate] = []
    /// The receipt itself.
    var octets: ByteRange?

    init() {}

    /// - Parameter octets: the receipt itself, where it is to be written.
    init(_ receipt: VerifiedReceipt, octets: ByteRange?) {
        (digest, kind, app) = (receipt.digest, receipt.kind, receipt.app)
        (verdict, detail) = (receipt.verification.verdict, receipt.verification.detail)
        (digestAlgorithm, signer) = (receipt.verification.digestAlgorithm, receipt.verification.signer)
        (purchaseCount, bytes) = (Int64(receipt.purchases.count), Int64(receipt.bytes))
        (issuers, self.octets) = (receipt.verification.issuers, octets)
    }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.digest("sha256", &digest)
        try visitor.word("kind", &kind)
        try visitor.word("verdict", &verdict)
        try visitor.string("verdict_detail", &detail)
        try visitor.text("environment", &app.environment)
        try visitor.text("bundle_id", &app.bundleIdentifier)
        try visitor.text("app_version", &app.appVersion)
        try visitor.versionKey("app_version_key", of: app.appVersion)
        try visitor.text("original_application_version", &app.originalApplicationVersion)
        try visitor.versionKey("original_application_version_key", of: app.originalApplicationVersion)
        try visitor.time("original_purchase_date_ms", &app.originalPurchaseDate)
        try visitor.time("receipt_creation_date_ms", &app.receiptCreationDate)
        try visitor.time("expiration_date_ms", &app.expirationDate)
        try visitor.integer("app_item_id", &app.appItemID)
        try visitor.integer("version_external_identifier", &app.versionExternalIdentifier)
        try visitor.integer("download_id", &app.downloadID)
        try visitor.string("digest_algorithm", &digestAlgorithm)
        try visitor.string("signer", &signer)
        try visitor.hex("opaque_value", &app.opaqueValue)
        try visitor.hex("device_hash", &app.sha1Hash)
        try visitor.count("purchase_count", &purchaseCount)
        try visitor.count("bytes", &bytes)
        try visitor.types("undocumented_attributes", &app.undocumentedTypes)
        try visitor.types("undocumented_purchase_attributes", &app.undocumentedPurchaseTypes)
        try visitor.issuers("issuers", issuers)
        try visitor.octets("octets", &octets)
    }

    func fault(behind others: [ReceiptMembers]) -> String? {
        guard digest != nil, kind != nil, verdict != nil, !digestAlgorithm.isEmpty, let purchaseCount, let bytes else {
            return "receipt has to have sha256, kind, verdict, digest_algorithm, purchase_count and bytes"
        }
        return min(purchaseCount, bytes) < 0 ? "bytes and purchase_count can't be negative" : nil
    }
}

extension InAppPurchase: DecodedObject {
    init() { self.init(transactionIdentifier: ByteRange(offset: 0, count: 0)) }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.text("transaction_id", &transactionIdentifier)
        try visitor.text("original_transaction_id", &originalTransactionIdentifier)
        try visitor.text("product_id", &productIdentifier)
        try visitor.integer("quantity", &quantity)
        try visitor.integer("product_type", &productType)
        try visitor.time("purchase_date_ms", &purchaseDate)
        try visitor.time("original_purchase_date_ms", &originalPurchaseDate)
        try visitor.time("expires_date_ms", &expiresDate)
        try visitor.time("cancellation_date_ms", &cancellationDate)
        try visitor.integer("web_order_line_item_id", &webOrderLineItemID)
        try visitor.integer("is_trial_period", &isTrialPeriod)
        try visitor.integer("is_in_intro_offer_period", &isInIntroOfferPeriod)
        try visitor.text("promotional_offer_id", &promotionalOfferIdentifier)
    }

    func fault(behind others: [InAppPurchase]) -> String? {
        transactionIdentifier.isEmpty ? "a purchase has to have a transaction_id" : nil
    }
}

struct RejectionMembers: DecodedObject {
    var reason: RejectionReason?
    var detail = ""
    /// The line, where it is to be stored.
    var line: [UInt8]?

    init() {}

    init(_ rejection: Rejection) {
        (reason, detail) = (rejection.cause.reason, rejection.cause.detail)
        line = rejection.content
    }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.word("reason", &reason)
        try visitor.string("detail", &detail)
        try visitor.line("octets", &line)
    }

    func fault(behind others: [RejectionMembers]) -> String? {
        reason == nil ? "rejection has to have a reason" : nil
    }
}
