/// A line with a receipt.
struct Submission: PresentedLine {
    var receipt: MintedReceipt
    var presenter: Presenter
    /// Expected where the line names a device.
    var check = PlantedCheck.match
    var at: CalendarTime
    var defect: Defect?
    var role: PlantedRole?
    var form = LineForm.plain

    var statesTime: Bool { true }
    var formName: String { form.rawValue }
    var feature: Feature2026? { nil }
    var rejection: String? { defect?.rejection }
    var unreadable: [(number: Int, reason: String)] { [] }

    var deviceCheck: PlantedCheck {
        check == .serverIssued || shown.deviceID != nil ? check : .noDeviceID
    }

    var presented: [PresentedDocument] {
        guard rejection == nil else { return [] }
        let claims = receipt.claims
        return [
            PresentedDocument(
                sha256: receipt.sha256, kind: nil, verdict: receipt.verdict, check: deviceCheck,
                ownership: .init(
                    environment: claims.environment, bundleID: claims.bundleID,
                    isPaidEra: claims.app.isPaid(at: claims.customer.originallyPurchasedAt)))
        ]
    }
}
