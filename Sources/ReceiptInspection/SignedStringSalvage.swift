internal import MillJSON
internal import ReceiptFormat
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
        ofDocument index: Int, of count: Int, read content: PresentedDocument.Content, _ buffer: ByteBuffer
    ) -> [UInt8]? {
        switch content {
        case .success(let document):
            // A header alone is base64, of JSON: a property list has no colon.
            guard document.signed == nil, tokens?.count == count, let token = tokens?[index],
                token.starts(with: Self.beginning), Self.isObject(buffer.span, document.receipt.indices)
            else { return nil }
            return token
        case .failure:
            guard let tokens else { return count == 1 ? unscanned() : nil }
            guard tokens.count == count, Self.looksSigned(tokens[index]) else { return nil }
            return tokens[index]
        }
    }

    private static func isObject(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var cursor = JSONCursor(bytes, in: range, mayHoldControls: true)
        var isFirst = true
        return (try? cursor.nextKey(&isFirst)) != nil
    }

    private static func looksSigned(_ characters: [UInt8]) -> Bool {
        characters.starts(with: beginning) || SignedString.isSignedString(characters.span, in: characters.indices)
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
