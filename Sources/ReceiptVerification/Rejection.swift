/// Why a line holds no readable receipt. The raw values are those of the
/// database and of every machine-readable output.
public enum RejectionReason: String, Sendable, Hashable, CaseIterable {
    /// The line is no JSON object, JSON string or bare base64.
    case invalidJSON = "invalid_json"
    /// A JSON object without receipt, or an empty line.
    case noReceipt = "no_receipt"
    case invalidBase64 = "invalid_base64"
    case lineTooLong = "line_too_long"
    /// The bytes are no PKCS#7 container.
    case malformedContainer = "malformed_container"
    /// The container's content is no receipt.
    case malformedPayload = "malformed_payload"
    /// A known kind of document that is not read.
    case unsupportedKind = "unsupported_kind"
}

/// A line that holds no readable receipt.
struct Rejection: Sendable {
    /// Place among the batch's lines, from 0.
    let line: Int
    let cause: Unreadable
    /// The line as it is, without its newline, where it is to be kept.
    var octets: [UInt8]?

    /// Bytes of memory, about.
    var size: Int { MemoryLayout<Self>.stride + cause.detail.utf8.count + (octets?.capacity ?? 0) }
}

/// Why something is not a readable receipt.
struct Unreadable: Error, Sendable {
    let reason: RejectionReason
    /// What is wrong, where, in plain words.
    let detail: String

    @inline(never)
    init(_ reason: RejectionReason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
