/// One line of signed strings before it is written: who presented what, and
/// what was planted on the way.
struct SignedSubmission: Sendable, Changeable {
    /// In the order of the line; one may stand in it twice.
    var documents: [SignedString]
    var layout = Layout.member
    var form = LineForm.plain
    var presentedBy: PresentedBy
    /// Decides the line's place in the archives.
    var at: CalendarTime
    /// Whether the line states when it came in.
    var statesTime = true
    var defect: SignedDefect?
    var role: PlantedRole?
    /// What the line is planted for, of what the store signs since 2026.
    var feature: Feature2026?

    /// Neither account nor device: the store's server called, not an app.
    struct PresentedBy: Sendable {
        var accountID: String?
        var deviceID: String?
        var deviceVerificationID: String?
    }

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

    /// Each document once, but those that can't be read.
    var distinctDocuments: [SignedString] { numberedDocuments.filter { $0.rejection == nil } }

    /// Each document once, in the order by which they are numbered.
    var numberedDocuments: [SignedString] {
        var seen: Set<String> = []
        return documents.filter { seen.insert($0.sha256).inserted }
    }

    var accountID: String? { form.hasContext ? presentedBy.accountID : nil }
    var deviceID: String? { form.hasContext ? presentedBy.deviceID : nil }
    var deviceVerificationID: String? { form.hasContext ? presentedBy.deviceVerificationID : nil }
    var statedAt: CalendarTime? { form.hasContext && statesTime ? at : nil }

    func deviceCheck(of document: SignedString) -> PlantedCheck {
        guard let verification = document.claims.device else { return .noHash }
        guard let deviceVerificationID else { return .noDeviceID }
        if deviceVerificationID.utf8.count != 36 { return .invalidDeviceID }
        return deviceVerificationID.lowercased() == verification.deviceVerificationID ? .match : .mismatch
    }
}
