package import MillJSON

/// A value of a line, or of a text in the line that holds JSON.
package struct ScannedValue {
    package let token: JSONToken
    /// The index of the text in ``ScannedLine/texts``; nil for a value of the line itself.
    package let text: Int?

    /// Whether both are the same value of the line, not merely equal ones.
    func isSame(as other: ScannedValue) -> Bool { token.range == other.token.range && text == other.text }
}

/// The parts of a line, as ranges in it and in the texts that it holds.
package struct ScannedLine {
    /// The documents that the store signed, in the order of the line; at least one. Of more than are allowed one more
    /// is kept than that.
    package internal(set) var documents: [ScannedDocument] = []
    /// The number of documents, kept or not.
    package internal(set) var documentCount = 0
    /// The texts of the line that hold JSON with documents, without escapes.
    package internal(set) var texts: [[UInt8]] = []

    /// Documents under keys that are not read.
    var unread: [UnreadDocument] = []
    /// The error for a document under a key that is not read; nil if there is none.
    package internal(set) var unreadFault: Unreadable?

    /// The maximum number of documents in a line. Answers of the store hold some dozens.
    package static let maximumDocuments = 1_024

    init() {}

    /// A line that is one document.
    init(_ document: JSONToken) {
        documents = [ScannedDocument(value: ScannedValue(token: document, text: nil), fault: nil)]
        documentCount = 1
    }

    /// - Parameter line: the buffer of the line.
    package func buffer(of value: ScannedValue, in line: [UInt8]) -> [UInt8] { value.text.map { texts[$0] } ?? line }

    /// A value's characters without escapes.
    package func characters(of value: ScannedValue, in line: [UInt8]) -> [UInt8] {
        let buffer = buffer(of: value, in: line)
        let unescaped = value.token.hasEscapes ? JSONString.unescaped(buffer.span, in: value.token.range) : nil
        return unescaped ?? Array(buffer[value.token.range])
    }
}

/// A document of a line, and what the line states beside it.
package struct ScannedDocument {
    package let value: ScannedValue
    /// The reason why the documents of a text can't be found: the text is no JSON, though it begins like JSON with
    /// documents.
    package let fault: Unreadable?
    package internal(set) var context = Context()

    /// What the object of a document states, and the objects around.
    package struct Context {
        package var device, deviceVerification, account, time: ScannedValue?

        /// The size in bytes of device and account, as they are written in the line.
        var size: Int { (device?.token.range.count ?? 0) + (account?.token.range.count ?? 0) }

        /// Takes what an object further out states. The line's own word counts more than that of a request inside,
        /// which anybody may have sent.
        mutating func override(with outer: Context) {
            device = outer.device ?? device
            deviceVerification = outer.deviceVerification ?? deviceVerification
            account = outer.account ?? account
            time = outer.time ?? time
        }
    }
}
