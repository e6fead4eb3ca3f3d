internal import MillBytes

/// Recognizes lines about purchases of other stores, which servers keep in the same logs: nothing of them can be read
/// here, and nothing is wrong with them.
enum OtherStore {
    /// Words that the stores' own documents have: Google's purchases and developer notifications
    /// (https://developer.android.com/google/play/billing/rtdn-reference), and Amazon's receipts and notifications
    /// (https://developer.amazon.com/docs/in-app-purchasing/rvs-get-started.html). All words of a list have to stand in
    /// the line; the dot and letters of the first list are the middle of a purchase token of Google's.
    private static let signs: [(reason: RejectionReason, words: [[UInt8]])] = [
        (.googlePlay, [".AO-J1O"]), (.googlePlay, ["INAPP_PURCHASE_DATA"]), (.googlePlay, ["androidpublisher#"]),
        (.googlePlay, ["purchaseToken", "packageName"]), (.googlePlay, ["packageName", "testNotification"]),
        (.amazonAppstore, ["amzn1.account."]), (.amazonAppstore, ["receiptId", "betaProduct"]),
    ].map { reason, words in (reason, words.map { Array($0.utf8) }) }

    /// The maximum number of characters of a base64 text that are read, and of such texts in a line.
    private static let (maximumText, maximumTexts) = (4_096, 16)

    /// The rejection of a line that holds nothing but what another store made; nil for other lines.
    ///
    /// - Parameter line: the range of the line in `text`.
    static func rejection(of text: [UInt8], _ line: Range<Int>) -> Unreadable? {
        if let found = reason(in: text[line]) { return found }
        for decoded in encodedObjects(in: text, line) {
            if let found = reason(in: decoded[...]) { return found }
        }
        return nil
    }

    private static func reason(in text: ArraySlice<UInt8>) -> Unreadable? {
        let found = signs.first { sign in sign.words.allSatisfy { ByteSearch.contains(text, $0) } }
        return found.map {
            Unreadable($0.reason, "the line is about a purchase of another store: \($0.reason.storeName ?? "")")
        }
    }

    /// The beginnings of JSON objects that stand in the line in base64, as Pub/Sub sends them: base64 of `{"` begins with
    /// `ey`.
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
    /// The name of the other store that made what the line holds; nil for other reasons.
    package var storeName: String? {
        switch self {
        case .googlePlay: "Google Play"
        case .amazonAppstore: "Amazon Appstore"
        default: nil
        }
    }

    /// Whether nobody has to correct such a line.
    package var isNoFault: Bool { storeName != nil || self == .tableHeader }
}
