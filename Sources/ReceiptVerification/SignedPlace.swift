internal import MillBytes
internal import MillJSON

/// The places of signed data in logged JSON, below the keys of a line's object (Apple, App Store
/// Server API and Notifications; `verifyReceipt`).
package indirect enum SignedPlace: Sendable {
    case document
    case list(SignedPlace)
    case object(Members)

    /// Places by the keys of an object.
    package struct Members: Sendable {
        private let keys: KeyTable
        private let places: [SignedPlace]

        fileprivate init(_ members: [(key: String, place: SignedPlace)]) {
            keys = KeyTable(members.map(\.key))
            places = members.map(\.place)
        }

        fileprivate func place(under key: JSONToken, _ bytes: Span<UInt8>) -> SignedPlace? {
            key.number(in: keys, bytes).map { places[$0] }
        }
    }

    /// The greatest number of documents in a line. Answers of the store hold some dozens.
    package static let maximumDocuments = 1_024

    /// The places below the keys of a line's object.
    private static let ofLine = Members(
        [
            "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
            "signedTransaction", "signed_transaction", "jws", "jwsRepresentation", "appTransaction", "latest_receipt",
        ].map { ($0, .document) } + [
            // Answers about histories and refunds.
            ("signedTransactions", .list(.document)),
            // Answers about statuses of subscriptions.
            ("data", list(under: "lastTransactions", of: ["signedTransactionInfo", "signedRenewalInfo"])),
            ("notificationHistory", .list(object(of: ["signedPayload"]))),
            // Server notifications of version 1.
            ("unified_receipt", object(of: ["latest_receipt"])),
        ])

    private static func object(of keys: [String]) -> SignedPlace { .object(Members(keys.map { ($0, .document) })) }

    /// A list of objects, each with a list of objects that hold documents under some keys.
    private static func list(under key: String, of keys: [String]) -> SignedPlace {
        .list(.object(Members([(key, .list(object(of: keys)))])))
    }

    /// The place under a key of a line's object; nil where no signed data stands there.
    static func place(under key: JSONToken, _ bytes: Span<UInt8>) -> SignedPlace? { ofLine.place(under: key, bytes) }

    /// Moves past the value at this place, and adds the documents in it to `documents`.
    func collect(
        _ cursor: inout JSONCursor, depth: Int, into documents: inout [JSONToken]
    ) throws(InvalidJSON) {
        var isFirst = true
        switch (self, cursor.next) {
        case (.list(let place), UInt8(ascii: "[")):
            while try cursor.nextValue(&isFirst) { try place.collect(&cursor, depth: depth + 1, into: &documents) }
        case (.object(let members), UInt8(ascii: "{")):
            while let key = try cursor.nextKey(&isFirst) {
                if let place = members.place(under: key, cursor.bytes) {
                    try place.collect(&cursor, depth: depth + 1, into: &documents)
                } else {
                    _ = try cursor.readValue(depth: depth + 1)
                }
            }
        default:
            let value = try cursor.readValue(depth: depth)
            if case .document = self, value.kind == .string, !value.range.isEmpty { documents.append(value) }
        }
    }
}
