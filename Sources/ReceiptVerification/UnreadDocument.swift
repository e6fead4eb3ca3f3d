internal import MillJSON

/// A document of a line under a key that is not read, so that the document is not loaded.
struct UnreadDocument {
    /// The outermost key that is not read, and the text of the line that contains the key.
    struct Key {
        let token: JSONToken
        /// The index of the text in ``ScannedLine/texts``; nil for a key of the line itself.
        let text: Int?
    }

    let key: Key
    /// A digest of the characters, to recognize a document that is read elsewhere in the line.
    let digest: Int

    /// The minimum length of a text that is searched: a document's certificates alone are longer.
    static let shortest = 128
    /// How many documents of a line are noted: as many as are read, since each noted one may be read elsewhere.
    static let maximumCount = ScannedLine.maximumDocuments
    private static let shownName = 64

    static func digest(_ bytes: Span<UInt8>, _ characters: Range<Int>) -> Int {
        var hasher = Hasher()
        for index in characters { hasher.combine(bytes[index]) }
        return hasher.finalize()
    }

    /// The error for the first document that is not read anywhere in the line; nil if there is none.
    ///
    /// - Parameter start: the offset of the line in its buffer.
    static func fault(in line: ScannedLine, _ bytes: Span<UInt8>, from start: Int) -> Unreadable? {
        guard !line.unread.isEmpty else { return nil }
        var read: Set<Int> = []
        for document in line.documents where document.fault == nil {
            let token = document.value.token
            if let text = document.value.text {
                let characters = line.texts[text]
                read.insert(digest(of: token, characters.span))
            } else {
                read.insert(digest(of: token, bytes))
            }
        }
        guard let first = line.unread.first(where: { !read.contains($0.digest) }) else { return nil }
        let key = first.key.token.range
        let (name, place): ([UInt8], String)
        if let text = first.key.text {
            name = Array(line.texts[text][key.prefix(shownName)])
            place = "character \(key.lowerBound) of a text"
        } else {
            name = key.prefix(shownName).map { bytes[$0] }
            place = "character \(key.lowerBound - start)"
        }
        return Unreadable(
            .noReceipt,
            "a document under \"\(String(decoding: name, as: UTF8.self))\" (\(place)), a key that is not read; "
                + "--receipt-key names further keys")
    }

    private static func digest(of token: JSONToken, _ bytes: Span<UInt8>) -> Int {
        guard token.hasEscapes, let text = JSONString.unescaped(bytes, in: token.range) else {
            return digest(bytes, token.range)
        }
        return digest(text.span, text.indices)
    }
}
