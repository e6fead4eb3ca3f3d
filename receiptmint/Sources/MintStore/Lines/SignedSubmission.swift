package import MintSigning

/// One line of signed strings before it is written: who presented what, and
/// what was planted on the way.
package struct SignedSubmission: Sendable {
    /// In the order of the line; one may stand in it twice.
    package var documents: [SignedString]
    package var layout = Layout.member
    package var form = LineForm.plain
    package var presentedBy: PresentedBy
    /// Decides the line's place in the archives.
    package var at: CalendarTime
    /// Whether the line states when it came in.
    package var statesTime = true
    package var defect: SignedDefect?
    package var role: PlantedRole?
    /// What the line is planted for, of what the store signs since 2026.
    package var feature: Feature2026?

    /// Neither account nor device: the store's server called, not an app.
    package struct PresentedBy: Sendable {
        package var accountID: String?
        package var deviceID: String?
        package var deviceVerificationID: String?
    }

    /// Where the strings stand.
    package enum Layout: String, Sendable {
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
    package var distinctDocuments: [SignedString] { numberedDocuments.filter { $0.rejection == nil } }

    /// Each document once, in the order by which they are numbered.
    package var numberedDocuments: [SignedString] {
        var seen: Set<String> = []
        return documents.filter { seen.insert($0.sha256).inserted }
    }

    package var accountID: String? { form.hasContext ? presentedBy.accountID : nil }
    package var deviceID: String? { form.hasContext ? presentedBy.deviceID : nil }
    package var deviceVerificationID: String? { form.hasContext ? presentedBy.deviceVerificationID : nil }
    package var statedAt: CalendarTime? { form.hasContext && statesTime ? at : nil }

    package func deviceCheck(of document: SignedString) -> PlantedCheck {
        guard let verification = document.claims.device else { return .noHash }
        guard let deviceVerificationID else { return .noDeviceID }
        if deviceVerificationID.utf8.count != 36 { return .invalidDeviceID }
        return deviceVerificationID.lowercased() == verification.deviceVerificationID ? .match : .mismatch
    }
}
