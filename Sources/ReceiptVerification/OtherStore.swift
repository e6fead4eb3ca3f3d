internal import MillBytes

/// Recognises lines about purchases of other stores, which servers write into the same logs. Such a line contains
/// nothing that is read here, but is not damaged.
enum OtherStore {
    /// Words in the documents of other stores: Google's purchases and developer notifications
    /// (https://developer.android.com/google/play/billing/rtdn-reference), and Amazon's receipts and notifications
    /// (https://developer.amazon.com/docs/in-app-purchasing/rvs-get-started.html). A line has to contain all words of a
    /// list. The first word is the middle of Google's purchase tokens.
    private static let signs: [(reason: RejectionReason, words: [[UInt8]])] = [
        (.googlePlay, [".AO-J1O"]), (.googlePlay, ["INAPP_PURCHASE_DATA"]), (.googlePlay, ["androidpublisher#"]),
        (.googlePlay, ["packageName", "testNotification"]), (.amazonAppstore, ["amzn1.account.", "eceipt"]),
        (.amazonAppstore, ["receiptId", "betaProduct"]),
    ].map { reason, words in (reason, words.map { Array($0.utf8) }) }
    private static let (token, package) = (Array("purchaseToken".utf8), Array("packageName".utf8))

    /// Beginnings of Apple's documents, which are found even if the document is cut: base64 of a PKCS#7 container, of
    /// the header of a signed string, and of a property list.
    private static let apple = ["MII", "eyJhbGci", "eyJ4NWMi", "eyJraWQi", "eyJ0eXAi", "ewoJ"].map { Array($0.utf8) }

    /// The maximum number of characters that are read of a base64 text, and of such texts in a line.
    private static let (maximumText, maximumTexts) = (4_096, 16)

    /// The rejection of a line that contains only data of another store; nil for other lines.
    ///
    /// Cut JSON, and lines in which an Apple document may begin, keep their rejection, because damage must be visible,
    /// whatever else the line contains.
    ///
    /// - Parameters:
    ///   - line: the range of the line in `text`.
    ///   - cause: the line's first rejection.
    static func rejection(of text: [UInt8], _ line: Range<Int>, instead cause: Unreadable) -> Unreadable? {
        let content = text[line]
        if cause.reason == .lineTooLong { return nil }
        if cause.reason == .invalidJSON, content.first.map(TextForm.beginsJSON) ?? true { return nil }
        if apple.contains(where: { ByteSearch.contains(content, $0) }) { return nil }
        if let found = reason(in: content) { return found }
        for decoded in encodedObjects(in: text, line) {
            if let found = reason(in: decoded[...]) { return found }
        }
        return nil
    }

    private static func reason(in text: ArraySlice<UInt8>) -> Unreadable? {
        var found = signs.first { sign in sign.words.allSatisfy { ByteSearch.contains(text, $0) } }?.reason
        if found == nil, ByteSearch.contains(text, package), hasValue(of: token, in: text) { found = .googlePlay }
        return found.map { Unreadable($0, "the line is about a purchase of another store: \($0.storeName ?? "")") }
    }

    /// Whether `text` has the key with a value that is neither null nor empty.
    private static func hasValue(of key: [UInt8], in text: ArraySlice<UInt8>) -> Bool {
        guard let start = ByteSearch.firstIndex(of: key, in: text) else { return false }
        let value = text[(start + key.count)...].drop { #"\": ="#.utf8.contains($0) }
        return !value.starts(with: "null".utf8) && !(value.first.map(",}]".utf8.contains) ?? true)
    }

    /// Decodes the first bytes of each JSON object that the line contains in base64, as Pub/Sub sends them. Base64 of
    /// `{"` begins with `ey`.
    private static func encodedObjects(in text: [UInt8], _ line: Range<Int>) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var start = line.lowerBound
        while found.count < maximumTexts,
            let begin = ByteSearch.firstIndex(of: UInt8(ascii: "e"), in: text.span, start..<line.upperBound)
        {
            start = begin + 1
            guard begin + 8 < line.upperBound, text[begin + 1] == UInt8(ascii: "y"),
                begin == line.lowerBound || Base64.value(of: text[begin - 1]) == nil
            else { continue }
            let limit = min(line.upperBound, begin + maximumText)
            let end = text[begin..<limit].firstIndex { Base64.value(of: $0) == nil } ?? limit
            start = end
            var decoded: [UInt8] = []
            if Base64.append(text.span, in: begin..<begin + (end - begin) / 4 * 4, to: &decoded) {
                found.append(decoded)
            }
        }
        return found
    }
}

extension RejectionReason {
    /// The name of the other store whose data the line contains; nil for other reasons.
    package var storeName: String? {
        switch self {
        case .googlePlay: "Google Play"
        case .amazonAppstore: "Amazon Appstore"
        default: nil
        }
    }

    /// Whether a line with this reason is dismissed from the start, because nobody has to correct it.
    package var isDismissed: Bool { storeName != nil || self == .tableHeader }
}
