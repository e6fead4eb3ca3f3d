internal import MillJSON
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// A fault of a document, and its position.
struct InspectionFault: FieldValue {
    let reason: RejectionReason
    let detail: String
    /// The fault's position, counted from the receipt's first byte. For chunked content it is counted from the first
    /// byte of the joined content, for base64 within a transaction receipt from the first decoded byte.
    let offset: Int?

    init(_ fault: Unreadable) { (reason, detail, offset) = (fault.reason, fault.detail, nil) }

    /// - Parameter part: the part of a transaction receipt that has the fault and begins at `base`.
    init(_ reason: RejectionReason, _ fault: MalformedReceipt, in part: TransactionKey? = nil, base: Int) {
        self.reason = fault.isUnsupportedKind ? .unsupportedKind : reason
        detail = (part.map { "\($0.rawValue): " } ?? "") + fault.description(relativeTo: base)
        offset = fault.offset - base
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

extension [InspectionFault] {
    /// Reads a part of a document, and adds the fault if reading fails.
    ///
    /// - Parameters:
    ///   - base: the position from which offsets are counted; if nil, the part's first byte.
    ///   - key: the part's name in a transaction receipt.
    mutating func reading<Part>(
        _ part: ByteRange, of bytes: Span<UInt8>, base: Int? = nil, named key: TransactionKey? = nil,
        or reason: RejectionReason, _ read: (inout ByteReader) throws(MalformedReceipt) -> Part
    ) -> Part? {
        do throws(MalformedReceipt) {
            var reader = ByteReader(bytes, in: part)
            return try read(&reader)
        } catch {
            append(InspectionFault(reason, error, in: key, base: base ?? part.offset))
            return nil
        }
    }
}
