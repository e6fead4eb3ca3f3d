internal import MillJSON
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

/// What can't be read of a document, and where.
struct InspectionFault: FieldValue {
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

    var shown: String { "\(reason.rawValue): \(detail)" }

    func write(to json: inout JSONWriter) {
        json.open()
        json.member("reason", reason.rawValue)
        json.member("detail", detail)
        json.member("offset", offset.map { Int64($0) })
        json.close()
    }
}

/// Everything that a document holds, as far as it can be read.
protocol DocumentInspection {
    /// What can't be read, known once all was written: first why the mill rejects the document, if it does.
    var faults: [InspectionFault] { get }

    /// Writes all but the faults. What stands in several pieces, or in base64, is decoded behind the buffer.
    mutating func write(to report: inout ReportWriter, _ buffer: inout ByteBuffer) throws(OpenSSLError)
}

extension [InspectionFault] {
    /// Reads a part of a document, and adds the fault that is met.
    ///
    /// - Parameters:
    ///   - base: where offsets count from, if not from the part's first byte.
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
