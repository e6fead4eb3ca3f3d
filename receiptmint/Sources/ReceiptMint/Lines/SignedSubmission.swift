/// A line with signed strings.
struct SignedSubmission: PresentedLine {
    /// In the order of the line; one may stand in it twice.
    var documents: [SignedString]
    var layout = Layout.member
    var form = LineForm.plain
    var presenter: Presenter
    var at: CalendarTime
    var statesTime = true
    var defect: SignedDefect?
    var role: PlantedRole?
    var feature: Feature2026?

    /// Where the strings stand.
    enum Layout: String, Sendable {
        /// Under a key of its own.
        case member
        /// A transaction and its renewal info, under a key each.
        case pair
        /// An answer of the store's server: a page of transactions.
        case history
        /// An answer of the store's server: each subscription's last transaction and renewal info.
        case statuses
        /// An answer of the store's server: notifications that it sent.
        case notificationHistory = "notification_history"
    }

    var formName: String { form.hasContext ? layout.rawValue : form.rawValue }
    var rejection: String? { defect?.rejection }

    /// Each document once, but those that can't be read.
    var distinctDocuments: [SignedString] { numberedDocuments.filter { $0.rejection == nil } }

    /// Each document once, in the order by which they are numbered; none where nothing can be loaded.
    private var numberedDocuments: [SignedString] {
        var seen: Set<String> = []
        return rejection == nil ? documents.filter { seen.insert($0.sha256).inserted } : []
    }

    var unreadable: [(number: Int, reason: String)] {
        numberedDocuments.enumerated().compactMap { index, document in document.rejection.map { (index + 1, $0) } }
    }

    var presented: [PresentedDocument] {
        distinctDocuments.map { document in
            PresentedDocument(
                sha256: document.sha256, kind: document.kind, verdict: document.verdict,
                check: deviceCheck(of: document), ownership: (document.claims as? AppClaims)?.ownership)
        }
    }

    private func deviceCheck(of document: SignedString) -> PlantedCheck {
        guard let verification = document.claims.device else { return .noHash }
        guard let deviceVerificationID = shown.deviceVerificationID else { return .noDeviceID }
        if deviceVerificationID.utf8.count != 36 { return .invalidDeviceID }
        return deviceVerificationID.lowercased() == verification.deviceVerificationID ? .match : .mismatch
    }
}
