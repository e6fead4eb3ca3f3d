/// Why a line holds no readable receipt. The raw values are those of the
/// database and of every machine-readable output.
package enum RejectionReason: String, Sendable, Hashable, CaseIterable {
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

/// A document that can't be read, or a line that holds none.
package struct Rejection: Sendable {
    /// Index among the batch's lines.
    package var line: Int
    /// Which of the line's documents, from 1.
    package let document: Int
    package private(set) var cause: Unreadable
    /// The line as it is, without its newline, where it is to be stored.
    package var content: [UInt8]?
    /// Further documents of the line that can't be read either, of which nothing is kept but
    /// their number.
    package private(set) var furtherDocuments = 0

    /// Rejections of one line that are kept; of more, their number. A line of a few kilobytes
    /// holds a thousand documents, each of which would be a row.
    package static let greatestCountOfLine = 8
    /// Whether the line was erased with a person, and came again: it is to stay away.
    package internal(set) var isErased = false

    package init(line: Int, document: Int = 1, cause: Unreadable, content: [UInt8]? = nil) {
        (self.line, self.document, self.cause, self.content) = (line, document, cause, content)
    }

    /// Counts documents of the line that are not kept, and says so in the detail.
    package mutating func count(furtherDocuments count: Int) {
        guard count > 0 else { return }
        furtherDocuments += count
        let documents = count == 1 ? "1 further document" : "\(count) further documents"
        cause = Unreadable(cause.reason, "\(cause.detail); \(documents) of the line can't be read either")
    }

    /// Bytes of memory, about.
    package var size: Int { MemoryLayout<Self>.stride + cause.detail.utf8.count + (content?.capacity ?? 0) }
}

/// Why something is not a readable receipt.
package struct Unreadable: Error, Sendable {
    package let reason: RejectionReason
    /// What is wrong, where, in plain words.
    package let detail: String

    @inline(never)
    package init(_ reason: RejectionReason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
