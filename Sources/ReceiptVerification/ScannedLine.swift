package import MillJSON

/// A value of a line, or of a text in the line.
package struct ScannedValue {
    package let token: JSONToken
    /// The index of the text in ``ScannedLine/texts``; nil for a value of the line itself.
    package let text: Int?

    /// Whether both are the same value of the line, not only equal values.
    func isSame(as other: ScannedValue) -> Bool { token.range == other.token.range && text == other.text }
}

/// A text in the line that was decoded: without escapes, from base64, or inflated.
package struct ScannedText {
    package let bytes: [UInt8]
    /// The value that contains the text in encoded form.
    package let holder: ScannedValue
}

/// The parts of a line, as ranges in it and in the texts that it contains.
package struct ScannedLine {
    /// The documents signed by Apple, in the order of the line; at least one. Keeps one more than the limit, so that
    /// callers can tell that the limit was exceeded.
    package internal(set) var documents: [ScannedDocument] = []
    /// The number of documents, kept or not.
    package internal(set) var documentCount = 0
    /// The texts of the line that contain documents.
    package internal(set) var texts: [ScannedText] = []
    /// A text that is nearly a document, and how it differs from one.
    var nearMiss: (value: ScannedValue, what: String)?

    /// The maximum number of documents in a line. Apple's answers contain some dozens.
    package static let maximumDocuments = 1_024

    /// - Parameter line: the buffer of the line.
    package func buffer(of value: ScannedValue, in line: [UInt8]) -> [UInt8] {
        value.text.map { texts[$0].bytes } ?? line
    }

    /// A value's characters without escapes.
    package func characters(of value: ScannedValue, in line: [UInt8]) -> [UInt8] {
        let buffer = buffer(of: value, in: line)
        let unescaped = value.token.hasEscapes ? JSONString.unescaped(buffer.span, in: value.token.range) : nil
        return unescaped ?? Array(buffer[value.token.range])
    }
}

/// A document of a line, and what the line states besides it.
package struct ScannedDocument {
    package let value: ScannedValue
    /// The reason why the documents of a text can't be found: it begins like JSON with documents, but is not valid
    /// JSON.
    package internal(set) var fault: Unreadable?
    package internal(set) var context = Context()

    /// What the object of a document, and the objects around it, state.
    package struct Context {
        package var device, deviceVerification, account, time: ScannedValue?
        /// Whether the user named the key of each value.
        var isStated = (device: false, account: false, time: false)
        /// Whether the object that states the account states a second one under another key.
        var isOneOfTwoAccounts = false

        /// The size in bytes of device and account, as they are written in the line.
        var size: Int { (device?.token.range.count ?? 0) + (account?.token.range.count ?? 0) }

        /// Adds what an outer object states and the inner ones do not. A value under a key that the user named takes
        /// precedence over one under a usual key.
        mutating func fill(from outer: Context) {
            func fill(_ inner: inout ScannedValue?, _ outer: ScannedValue?, _ isStated: inout Bool, _ wins: Bool) {
                guard let outer, inner == nil || wins && !isStated else { return }
                (inner, isStated) = (outer, wins)
            }
            fill(&device, outer.device, &isStated.device, outer.isStated.device)
            if account == nil || outer.isStated.account && !isStated.account {
                isOneOfTwoAccounts = outer.isOneOfTwoAccounts
            }
            fill(&account, outer.account, &isStated.account, outer.isStated.account)
            fill(&time, outer.time, &isStated.time, outer.isStated.time)
            deviceVerification = deviceVerification ?? outer.deviceVerification
        }
    }
}
