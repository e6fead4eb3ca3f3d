/// The reason why a line contains no readable document. The raw values are those of the database and of all
/// machine-readable output.
package enum RejectionReason: String, Sendable, Hashable, CaseIterable {
    /// The line is neither JSON nor a text with a document.
    case invalidJSON = "invalid_json"
    /// The line is empty, or contains no document.
    case noReceipt = "no_receipt"
    case invalidBase64 = "invalid_base64"
    case lineTooLong = "line_too_long"
    /// The bytes are not a PKCS#7 container.
    case malformedContainer = "malformed_container"
    /// The container's content is not a receipt.
    case malformedPayload = "malformed_payload"
    /// The document is of a known kind that is not supported.
    case unsupportedKind = "unsupported_kind"
    /// The line is the header of a table.
    case tableHeader = "table_header"
    /// The line is about a purchase of another store.
    case googlePlay = "google_play"
    case amazonAppstore = "amazon_appstore"
}

/// A document that can't be read, or a line without documents.
package struct Rejection: Sendable {
    /// The index of the line in its batch.
    package var line: Int
    /// The number of the document in its line, from 1.
    package let document: Int
    package private(set) var cause: Unreadable
    /// The unchanged line without its newline; nil if it is not to be stored.
    package var content: [UInt8]?
    /// The number of further unreadable documents of the line, of which nothing else is kept.
    package private(set) var furtherDocuments = 0

    /// The maximum number of kept rejections of one line; further ones are only counted. A line of a few kilobytes can
    /// contain a thousand documents, each of which would be a row.
    package static let maximumCountOfLine = 8
    /// Whether the rejection is dismissed at once, and its line is not stored. Nobody has to correct such a line: it is
    /// the header of a table, states a purchase of another store, or was erased with a person and then loaded again.
    package internal(set) var isDismissed: Bool

    package init(line: Int, document: Int = 1, cause: Unreadable, content: [UInt8]? = nil) {
        (self.line, self.document, self.cause, self.content) = (line, document, cause, content)
        isDismissed = cause.reason.isDismissed
    }

    /// The rejection of a header. It makes every line of the file a row, so that lines keep their numbers.
    static func header(line: Int) -> Rejection {
        Rejection(line: line, cause: Unreadable(.tableHeader, "the line is the header of a table"))
    }

    /// Counts further unreadable documents of the line, and states their number in the detail.
    package mutating func count(furtherDocuments count: Int) {
        guard count > 0 else { return }
        furtherDocuments += count
        let documents = count == 1 ? "1 further document" : "\(count) further documents"
        cause = Unreadable(cause.reason, "\(cause.detail); \(documents) of the line can't be read either")
    }

    /// The approximate size in memory, in bytes.
    package var size: Int { MemoryLayout<Self>.stride + cause.detail.utf8.count + (content?.capacity ?? 0) }
}

/// The reason why a line or a document can't be read.
package struct Unreadable: Error, Sendable {
    package let reason: RejectionReason
    /// The fault and its position, in words.
    package let detail: String

    @inline(never)
    package init(_ reason: RejectionReason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
