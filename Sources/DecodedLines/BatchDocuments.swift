internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// The options that decide which members are written in addition to the results of verification.
struct DocumentForm {
    /// Bundle identifiers of the expected apps; empty if any app is expected.
    let bundles: [[UInt8]]
    /// The fingerprint of the pseudonym key for devices and accounts; nil if there is none.
    let pseudonymKey: SHA256Digest?
    let keepsReceipts: Bool

    /// Compares a receipt's app with the expected ones. If the line states no time, nothing counts as expired, since
    /// the result must not depend on a clock.
    func appCheck(_ app: AppReceipt, bundle: ArraySlice<UInt8>?, submittedAt: Int64?) -> AppCheck {
        let isOurs = bundles.contains { expected in bundle.map { $0.elementsEqual(expected) } ?? false }
        var isExpired = false
        if let end = app.expirationDate, let submittedAt { isExpired = end <= submittedAt }
        return AppCheck(
            bundleDiffers: !bundles.isEmpty && !isOurs, versionDiffers: false, isExpired: isExpired,
            isConfigured: isOurs)
    }
}

/// Converts the documents of a verified batch into decoded lines, line by line.
struct BatchDocuments {
    private let batch: VerifiedBatch
    private let form: DocumentForm
    /// The rejections, sorted by line and document.
    private let rejections: [Rejection]
    private var nextSubmission = 0
    private var nextReceipt = 0
    private var nextPart = 0
    private var nextRejection = 0

    init(_ batch: VerifiedBatch, _ form: DocumentForm) {
        (self.batch, self.form) = (batch, form)
        rejections = batch.rejections.sorted { ($0.line, $0.document) < ($1.line, $1.document) }
    }

    /// Adds a line's documents to its decoded line; lines have to be passed in order.
    mutating func fill(_ decoded: inout DecodedLine, line: Int) {
        guard let first = next(of: line) else { return }
        var isRejected = first.rejection != nil
        decoded.first = first
        while var other = next(of: line) {
            // The line's text is written only with its first rejection.
            if isRejected { other.rejection?.line = nil }
            if other.rejection != nil { isRejected = true }
            decoded.others.append(other)
        }
    }

    /// The next document of a line. A notification with an unreadable part is returned twice: as a submission, and then
    /// as a rejection.
    private mutating func next(of line: Int) -> LineDocument? {
        let rejected = nextRejection < rejections.count ? rejections[nextRejection] : nil
        let rejectedNumber = rejected.flatMap { $0.line == line ? $0.document : nil }
        if nextSubmission < batch.submissions.count, batch.submissions[nextSubmission].line == line,
            batch.submissions[nextSubmission].document <= rejectedNumber ?? .max
        {
            nextSubmission += 1
            return document(of: batch.submissions[nextSubmission - 1])
        }
        guard let rejected, rejectedNumber != nil else { return nil }
        nextRejection += 1
        var document = LineDocument()
        document.number = Int64(rejected.document)
        document.rejection = RejectionMembers(rejected)
        return document
    }

    private mutating func document(of submission: VerifiedSubmission) -> LineDocument {
        let receipt = takeReceipt()
        var document = LineDocument()
        document.number = Int64(submission.document)
        var members = SubmissionMembers()
        (members.device, members.account) = (submission.device, submission.account)
        (members.pseudonymKey, members.submittedAt) = (form.pseudonymKey, submission.submittedAt)
        members.deviceCheck = submission.deviceCheck
        members.appCheck = form.appCheck(
            receipt.app, bundle: receipt.app.bundleIdentifier.map { batch.bytes[$0.indices] },
            submittedAt: submission.submittedAt)
        document.submission = members
        document.statement = statement(of: receipt)
        // The parts of a notification follow the notification, in the order of their ranks.
        while let part = part(of: receipt.digest, behind: document.parts.last?.part) { document.parts.append(part) }
        return document
    }

    private mutating func part(of holder: SHA256Digest, behind last: SignedPart?) -> LinePart? {
        guard nextPart < batch.parts.count else { return nil }
        let held = batch.parts[nextPart]
        // The next line may contain the same notification; its first part then follows this line's last part.
        guard held.holder == holder, held.part.rank > last?.rank ?? -1 else { return nil }
        nextPart += 1
        var part = LinePart()
        part.part = held.part
        part.statement = statement(of: takeReceipt())
        return part
    }

    /// The batch's next receipt.
    private mutating func takeReceipt() -> VerifiedReceipt {
        nextReceipt += 1
        return batch.receipts[nextReceipt - 1]
    }

    private func statement(of receipt: VerifiedReceipt) -> Statement {
        Statement(receipt, octets: form.keepsReceipts ? receipt.whole : receipt.reviewable)
    }
}
