internal import ReceiptArchive
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// A decoded line (docs/decode-format.md).
struct DecodedLine: DecodedObject {
    /// The format's version.
    static let schema: Int64 = 2
    /// The versions that can be read. In version 1, a line has one receipt, and there is no signed data.
    static let readableSchemas = 1...schema

    static let refusesRepetition = true

    var schema: Int64?
    var archive: ArchiveID?
    var number: Int64?
    /// The document whose members are the line's own.
    var first = LineDocument()
    /// The documents after the first. A submission may be followed by a rejection with the same number, for an
    /// unreadable part.
    var others: [LineDocument] = []
    var isLast: Bool?

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.member("schema", &schema, as: IntegerMember.self)
        try visitor.member("archive", &archive, as: ArchiveMember.self)
        try visitor.member("line", &number, as: IntegerMember.self)
        try first.visitContent(with: &visitor)
        try visitor.member("documents", &others.stated, as: ObjectsMember<LineDocument>.self)
        try visitor.member("last", &isLast, as: TrueMember.self)
    }
}

/// An archive. Every decoded line names its archive, unless the archive was a stream.
struct ArchiveObject: DecodedObject {
    var name: String?
    var sha256: SHA256Digest?
    var bytes: Int64?

    init() {}

    init(_ id: ArchiveID) { (name, sha256, bytes) = (id.name, id.sha256, id.bytes) }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.member("name", &name, as: StringMember.self)
        try visitor.member("sha256", &sha256, as: DigestMember.self)
        try visitor.member("bytes", &bytes, as: IntegerMember.self)
    }

    func fault(behind others: [ArchiveObject]) -> String? {
        id == nil ? "archive has to have a name, a sha256 and bytes" : nil
    }

    var id: ArchiveID? {
        guard let name, let sha256, let bytes, bytes >= 0 else { return nil }
        return ArchiveID(name: name, sha256: sha256, bytes: bytes)
    }
}

/// A document of a line: a submission or a rejection.
struct LineDocument: DecodedObject {
    static let refusesRepetition = true

    /// The document's number in its line, from 1; the first document states none.
    var number: Int64?
    var submission: SubmissionMembers?
    var statement = Statement()
    /// The parts of a notification, in the order of the line, each at most once.
    var parts: [LinePart] = []
    var rejection: RejectionMembers?

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.member("document", &number, as: IntegerMember.self)
        try visitContent(with: &visitor)
    }

    /// Visits all members except the number. For the first document, they are members of the line itself.
    mutating func visitContent<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.object("submission", &submission)
        try statement.visitContent(with: &visitor)
        try visitor.member("parts", &parts.stated, as: ObjectsMember<LinePart>.self)
        try visitor.object("rejection", &rejection)
    }

    func fault(behind others: [LineDocument]) -> String? {
        number == nil ? "one of the documents has to have its number, document" : nil
    }
}

/// A document within a notification.
struct LinePart: DecodedObject {
    static let refusesRepetition = true

    var part: SignedPart?
    var statement = Statement()

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.member("part", &part, as: WordMember<SignedPart>.self)
        try statement.visitContent(with: &visitor)
    }

    func fault(behind others: [LinePart]) -> String? {
        guard part != nil, statement.receipt != nil, statement.purchases != nil else {
            return "a part has to have its name, part, a receipt and purchases"
        }
        return others.contains { $0.part == part } ? "a part stands twice" : nil
    }
}

/// The receipt, purchases and payload of a document.
struct Statement {
    var receipt: ReceiptMembers?
    /// The document's purchases, as a range of the batch's.
    var purchases: Range<Int>?
    /// The document's payload, as an index among the batch's.
    var payload: Int?
    /// Whether further issuers could improve the verdict; the line then has to contain the complete receipt.
    var isReviewable = false

    init() {}

    /// - Parameter octets: the receipt's bytes, if they are to be written.
    init(_ receipt: VerifiedReceipt, octets: ByteRange?) {
        self.receipt = ReceiptMembers(receipt, octets: octets)
        (purchases, payload) = (receipt.purchases, receipt.payload)
    }

    mutating func visitContent<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.object("receipt", &receipt)
        try visitor.member("purchases", &purchases, as: PurchasesMember.self)
        try visitor.payload(&payload)
    }

    /// The receipt in the form that the loader needs; nil for a rejected document.
    var verified: VerifiedReceipt? {
        guard let receipt, let purchases, let digest = receipt.digest, let kind = receipt.kind,
            let verdict = receipt.verdict, let digestAlgorithm = receipt.digestAlgorithm, let bytes = receipt.bytes
        else { return nil }
        return VerifiedReceipt(
            digest: digest, kind: kind, bytes: Int(bytes), app: receipt.app, purchases: purchases, payload: payload,
            unknown: receipt.unknown,
            verification: Verification(
                verdict: verdict, detail: receipt.detail, digestAlgorithm: digestAlgorithm, signer: receipt.signer),
            whole: receipt.octets, reviewable: isReviewable ? receipt.octets : nil)
    }
}

struct SubmissionMembers: DecodedObject {
    var device, account: ByteRange?
    /// The fingerprint of the pseudonym key for device and account; nil if they are in clear, as in the archive.
    var pseudonymKey: SHA256Digest?
    var submittedAt: Int64?
    var deviceCheck: DeviceCheck?
    var appCheck: AppCheck?

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.member("device_id", &device, as: TextMember.self)
        try visitor.member("account_id", &account, as: TextMember.self)
        try visitor.member("pseudonym_key", &pseudonymKey, as: DigestMember.self)
        try visitor.member("submitted_at_ms", &submittedAt, as: TimeMember.self)
        try visitor.member("device_check", &deviceCheck, as: WordMember<DeviceCheck>.self)
        try visitor.member("app_check", &appCheck, as: DerivedWordMember<AppCheck>.self)
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
    var detail, digestAlgorithm, signer: String?
    var app = AppReceipt()
    /// The versions from which the sort keys are computed.
    private var versionOfKey, originalVersionOfKey: ByteRange?
    var purchaseCount, bytes: Int64?
    /// The members of a signed document that are not in the table of fields; nil if there are none.
    var unknown: UnknownMembers?
    private var issuers: [IssuerCertificate] = []
    /// The receipt's bytes.
    var octets: ByteRange?

    init() {}

    init(_ receipt: VerifiedReceipt, octets: ByteRange?) {
        let verification = receipt.verification
        (digest, kind, app) = (receipt.digest, receipt.kind, receipt.app)
        (verdict, detail) = (verification.verdict, verification.detail)
        (digestAlgorithm, signer) = (verification.digestAlgorithm, verification.signer)
        (versionOfKey, originalVersionOfKey) = (app.appVersion, app.originalApplicationVersion)
        (purchaseCount, bytes) = (Int64(receipt.purchases.count), Int64(receipt.bytes))
        (issuers, self.octets, unknown) = (verification.issuers, octets, receipt.unknown)
    }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.member("sha256", &digest, as: DigestMember.self)
        try visitor.member("kind", &kind, as: WordMember<ReceiptKind>.self)
        try visitor.member("verdict", &verdict, as: WordMember<Verdict>.self)
        try visitor.member("verdict_detail", &detail, as: StringMember.self)
        try visitor.member("environment", &app.environment, as: TextMember.self)
        try visitor.member("bundle_id", &app.bundleIdentifier, as: TextMember.self)
        try visitor.member("app_version", &app.appVersion, as: TextMember.self)
        try visitor.member("app_version_key", &versionOfKey, as: VersionKeyMember.self)
        try visitor.member(
            "original_application_version", &app.originalApplicationVersion, as: TextMember.self)
        try visitor.member("original_application_version_key", &originalVersionOfKey, as: VersionKeyMember.self)
        try visitor.member("original_purchase_date_ms", &app.originalPurchaseDate, as: TimeMember.self)
        try visitor.member("receipt_creation_date_ms", &app.receiptCreationDate, as: TimeMember.self)
        try visitor.member("expiration_date_ms", &app.expirationDate, as: TimeMember.self)
        try visitor.member("app_item_id", &app.appItemID, as: IntegerMember.self)
        try visitor.member(
            "version_external_identifier", &app.versionExternalIdentifier, as: IntegerMember.self)
        try visitor.member("download_id", &app.downloadID, as: IntegerMember.self)
        try visitor.member("digest_algorithm", &digestAlgorithm, as: StringMember.self)
        try visitor.member("signer", &signer, as: StringMember.self)
        try visitor.member("opaque_value", &app.opaqueValue, as: HexMember.self)
        try visitor.member("device_hash", &app.sha1Hash, as: HexMember.self)
        try visitor.member("purchase_count", &purchaseCount, as: IntegerMember.self)
        try visitor.member("bytes", &bytes, as: IntegerMember.self)
        try visitor.member("undocumented_attributes", &app.undocumentedTypes.stated, as: AppTypesMember.self)
        try visitor.member(
            "undocumented_purchase_attributes", &app.undocumentedPurchaseTypes.stated, as: PurchaseTypesMember.self)
        try visitor.member("unknown_members", &unknown, as: UnknownMembersMember.self)
        try visitor.member("issuers", &issuers.stated, as: IssuersMember.self)
        try visitor.member("octets", &octets, as: OctetsMember.self)
    }

    func fault(behind others: [ReceiptMembers]) -> String? {
        guard digest != nil, kind != nil, verdict != nil, digestAlgorithm != nil, let purchaseCount, let bytes else {
            return "receipt has to have sha256, kind, verdict, digest_algorithm, purchase_count and bytes"
        }
        return min(purchaseCount, bytes) < 0 ? "bytes and purchase_count can't be negative" : nil
    }
}

extension InAppPurchase: DecodedObject {
    init() { self.init(transactionIdentifier: ByteRange(offset: 0, count: 0)) }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.member("transaction_id", &transactionIdentifier.stated, as: TextMember.self)
        try visitor.member("original_transaction_id", &originalTransactionIdentifier, as: TextMember.self)
        try visitor.member("product_id", &productIdentifier, as: TextMember.self)
        try visitor.member("quantity", &quantity, as: IntegerMember.self)
        try visitor.member("product_type", &productType, as: IntegerMember.self)
        try visitor.member("purchase_date_ms", &purchaseDate, as: TimeMember.self)
        try visitor.member("original_purchase_date_ms", &originalPurchaseDate, as: TimeMember.self)
        try visitor.member("expires_date_ms", &expiresDate, as: TimeMember.self)
        try visitor.member("cancellation_date_ms", &cancellationDate, as: TimeMember.self)
        try visitor.member("web_order_line_item_id", &webOrderLineItemID, as: IntegerMember.self)
        try visitor.member("is_trial_period", &isTrialPeriod, as: IntegerMember.self)
        try visitor.member("is_in_intro_offer_period", &isInIntroOfferPeriod, as: IntegerMember.self)
        try visitor.member("promotional_offer_id", &promotionalOfferIdentifier, as: TextMember.self)
    }

    func fault(behind others: [InAppPurchase]) -> String? {
        transactionIdentifier.isEmpty ? "a purchase has to have a transaction_id" : nil
    }
}

struct RejectionMembers: DecodedObject {
    var reason: RejectionReason?
    var detail: String?
    /// The rejected line's text, if it is to be kept.
    var line: [UInt8]?

    init() {}

    init(_ rejection: Rejection) {
        (reason, detail, line) = (rejection.cause.reason, rejection.cause.detail, rejection.content)
    }

    mutating func visit<V: MemberVisitor & ~Copyable & ~Escapable>(with visitor: inout V) throws(V.Failure) {
        try visitor.member("reason", &reason, as: WordMember<RejectionReason>.self)
        try visitor.member("detail", &detail, as: StringMember.self)
        try visitor.member("octets", &line, as: RejectedLineMember.self)
    }

    func fault(behind others: [RejectionMembers]) -> String? {
        reason == nil ? "rejection has to have a reason" : nil
    }
}

extension Array {
    /// The array; nil if it is empty, since the member is then left out.
    var stated: [Element]? {
        get { isEmpty ? nil : self }
        set { self = newValue ?? [] }
    }
}

extension UndocumentedTypes {
    /// The types; nil if there are none, since the member is then left out.
    fileprivate var stated: UndocumentedTypes? {
        get { isEmpty ? nil : self }
        set { self = newValue ?? self }
    }
}

extension ByteRange {
    /// The text; nil if it is empty, since the member is then left out.
    fileprivate var stated: ByteRange? {
        get { isEmpty ? nil : self }
        set { self = newValue ?? self }
    }
}
