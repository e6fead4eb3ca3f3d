/// The reason why a line holds no readable document. The raw values are those of the database and
/// of every machine-readable output.
package enum RejectionReason: String, Sendable, Hashable, CaseIterable {
    /// The line is no JSON, and no text with a document.
    case invalidJSON = "invalid_json"
    /// The line is empty, or no text of it is a document.
    case noReceipt = "no_receipt"
    case invalidBase64 = "invalid_base64"
    case lineTooLong = "line_too_long"
    /// The bytes are no PKCS#7 container.
    case malformedContainer = "malformed_container"
    /// The container's content is no receipt.
    case malformedPayload = "malformed_payload"
    /// The document is of a known kind that is not read.
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
    /// The number of further documents of the line that can't be read either, and of which nothing
    /// else is kept.
    package private(set) var furtherDocuments = 0

    /// The maximum number of kept rejections of one line; the others are only counted. A line of a
    /// few kilobytes holds a thousand documents, each of which would be a row.
    package static let maximumCountOfLine = 8
    /// Whether the rejection is dismissed at once, and its line not stored. Nobody has to correct such a line: it is the
    /// header of a table, states a purchase of another store, or was erased with a person and then loaded again.
    package internal(set) var isDismissed: Bool

    package init(line: Int, document: Int = 1, cause: Unreadable, content: [UInt8]? = nil) {
        (self.line, self.document, self.cause, self.content) = (line, document, cause, content)
        isDismissed = cause.reason.isDismissed
    }

    /// The rejection of a header, so that every line becomes a row, and lines have the numbers that they have in the file.
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
    /// The fault and its place, in plain words.
    package let detail: String

    @inline(never)
    package init(_ reason: RejectionReason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
