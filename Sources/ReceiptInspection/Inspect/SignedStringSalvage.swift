internal import MillJSON
internal import ReceiptVerification
internal import SignedDataFormat

/// Finds the characters of signed strings that can't be read, so that what is left of
/// them can be shown.
struct SignedStringSalvage {
    private let text: [UInt8]
    /// The documents of the line, each once; nil where the line itself can't be scanned.
    private let tokens: [[UInt8]]?

    /// Base64url of `{"`, with which every header of the store's begins.
    private static let beginning = Array("eyJ".utf8)

    init(_ text: [UInt8], scanner: SubmissionScanner) {
        self.text = text
        guard let scanned = try? scanner.scan(text.span, text.indices) else {
            tokens = nil
            return
        }
        var tokens: [[UInt8]] = []
        for token in scanned.documents {
            let written = Array(text[token.range])
            let characters = token.hasEscapes ? JSONString.unescaped(text.span, in: token.range) ?? written : written
            if !tokens.contains(characters) { tokens.append(characters) }
        }
        self.tokens = tokens
    }

    /// The characters of a document that is no readable receipt, if they are a signed
    /// string's or the beginning of one; nil of all others.
    func characters(
        ofDocument index: Int, of count: Int, read content: PresentedDocument.Content
    ) -> [UInt8]? {
        switch content {
        case .success(let document):
            // The beginning of a header is base64.
            guard document.signed == nil, tokens?.count == count, let token = tokens?[index], Self.isHeader(token)
            else {
                return nil
            }
            return token
        case .failure:
            guard let tokens else { return count == 1 ? unscanned() : nil }
            guard tokens.count == count, Self.looksSigned(tokens[index]) else { return nil }
            return tokens[index]
        }
    }

    private static func looksSigned(_ characters: [UInt8]) -> Bool {
        isHeader(characters) || SignedString.isSignedString(characters.span, in: characters.indices)
    }

    /// Whether a text begins as headers do. Receipts in JSON, which the store never wrote,
    /// begin with other keys.
    private static func isHeader(_ characters: [UInt8]) -> Bool {
        guard characters.starts(with: beginning) else { return false }
        let key = SignedPartContent(characters[...]).listing.members.first?.name
        return key.map { SignedFieldMeaning.header[$0] != nil } ?? false
    }

    /// What stands in a line that is neither JSON nor bare text: from the beginning of
    /// a header to the next quote.
    private func unscanned() -> [UInt8]? {
        let quote = UInt8(ascii: "\"")
        var start = text.startIndex
        while start + Self.beginning.count <= text.count {
            let isFirst = start == 0 || text[start - 1] == quote || text[start - 1] <= 0x20
            if isFirst, text[start...].starts(with: Self.beginning) {
                let characters = Array(text[start...].prefix { $0 != quote })
                return Array(characters[..<((characters.lastIndex { $0 > 0x20 } ?? -1) + 1)])
            }
            start += 1
        }
        return nil
    }
}
