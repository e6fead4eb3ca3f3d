internal import MillJSON
internal import ReceiptFormat
internal import ReceiptVerification

/// What can't be read of a document, and where.
struct InspectionFault: ReportValue {
    let reason: RejectionReason
    let detail: String
    /// From the receipt's first byte; of content in chunks, from the joined
    /// content's; of what base64 inside a transaction receipt holds, from its own.
    let offset: Int?

    init(_ fault: Unreadable) { (reason, detail, offset) = (fault.reason, fault.detail, nil) }

    /// - Parameter part: the part of a transaction receipt whose first byte is `base`.
    init(_ reason: RejectionReason, _ fault: MalformedReceipt, in part: TransactionKey? = nil, base: Int) {
        self.reason = fault.isUnsupportedKind ? .unsupportedKind : reason
        detail = (part.map { "\($0.rawValue): " } ?? "") + fault.description(relativeTo: base)
        offset = fault.offset - base
    }

    /// The fault that reading a part meets; nil where it meets none.
    static func met(
        _ reason: RejectionReason, in part: TransactionKey? = nil, base: Int,
        _ read: () throws(MalformedReceipt) -> Void
    ) -> InspectionFault? {
        do throws(MalformedReceipt) {
            try read()
            return nil
        } catch {
            return InspectionFault(reason, error, in: part, base: base)
        }
    }

    var shown: String { "\(reason.rawValue): \(detail)" }

    func write(to json: inout JSONWriter) {
        json.open()
        json.member("reason", reason.rawValue)
        json.member("detail", detail)
        json.member("offset", offset.map { Int64($0) })
        json.close()
    }
}
