/// One line of an archive before it is written: a receipt that some device or
/// account presented, and what was planted on the way.
struct Submission: Sendable, Changeable {
    var receipt: MintedReceipt
    /// As it was when the submission was made; a line without context shows none of it.
    var presentedBy: PresentedBy
    var submittedAt: CalendarTime
    var defect: Defect?
    /// Of what is shared, where some of those who present it copied it.
    var role: PlantedRole?
    var form = LineForm.plain

    struct PresentedBy: Sendable {
        var deviceID: String?
        var accountID: String?
        /// Expected where the line names a device.
        var check: PlantedCheck
    }

    var deviceID: String? { form.hasContext ? presentedBy.deviceID : nil }
    var accountID: String? { form.hasContext ? presentedBy.accountID : nil }
    /// When the archive says that it was submitted.
    var statedAt: CalendarTime? { form.hasContext ? submittedAt : nil }

    var deviceCheck: PlantedCheck {
        if presentedBy.check == .serverIssued { return .serverIssued }
        return deviceID == nil ? .noDeviceID : presentedBy.check
    }
}
