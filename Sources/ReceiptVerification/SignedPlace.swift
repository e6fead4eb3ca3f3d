internal import MillBytes
internal import MillJSON
internal import MillSystem

/// Where signed data stands in logged JSON, below the keys of a line's object (Apple,
/// App Store Server API and Notifications; `verifyReceipt`).
package indirect enum SignedPlace: Sendable {
    case document
    case list(SignedPlace)
    case object([(key: [UInt8], place: SignedPlace)])

    /// Documents of a line that are looked at. Answers of the store hold some dozens.
    package static let maximumDocuments = 1_024

    /// The places by the keys of a line's object.
    private static let places: [(key: [UInt8], place: SignedPlace)] =
        [
            "signedPayload", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
            "signedTransaction", "signed_transaction", "jws", "jwsRepresentation", "appTransaction", "latest_receipt",
        ].map { (Array($0.utf8), .document) } + [
            // Histories and refunds.
            (Array("signedTransactions".utf8), .list(.document)),
            // Statuses of subscriptions.
            (
                Array("data".utf8),
                .list(
                    .object([
                        (
                            Array("lastTransactions".utf8),
                            .list(
                                .object([
                                    (Array("signedTransactionInfo".utf8), .document),
                                    (Array("signedRenewalInfo".utf8), .document),
                                ]))
                        )
                    ]))
            ),
            (Array("notificationHistory".utf8), .list(.object([(Array("signedPayload".utf8), .document)]))),
            // Notifications of version 1.
            (Array("unified_receipt".utf8), .object([(Array("latest_receipt".utf8), .document)])),
        ]

    /// Whether a line's object may have signed data under a key.
    static func isNamed(_ name: [UInt8]) -> Bool { places.contains { $0.key == name } }

    /// Moves past a member's value, and adds the documents in it.
    static func collect(
        under key: JSONToken, _ cursor: inout JSONCursor, into documents: inout [JSONToken]
    ) throws(InvalidJSON) {
        guard let place = place(named: key, in: places, cursor.bytes) else {
            _ = try cursor.readValue(depth: 1)
            return
        }
        try place.collect(&cursor, depth: 1, into: &documents)
    }

    private static func place(
        named key: JSONToken, in places: [(key: [UInt8], place: SignedPlace)], _ bytes: Span<UInt8>
    ) -> SignedPlace? {
        if key.hasEscapes {
            let name = JSONString.unescaped(bytes, in: key.range)
            return places.first { $0.key == name }?.place
        }
        return places.first { ByteSearch.isEqual(bytes, key.range, $0.key) }?.place
    }

    private func collect(
        _ cursor: inout JSONCursor, depth: Int, into documents: inout [JSONToken]
    ) throws(InvalidJSON) {
        var isFirst = true
        switch (self, cursor.next) {
        case (.list(let place), UInt8(ascii: "[")):
            while try cursor.nextValue(&isFirst) { try place.collect(&cursor, depth: depth + 1, into: &documents) }
        case (.object(let places), UInt8(ascii: "{")):
            while let key = try cursor.nextKey(&isFirst) {
                if let place = Self.place(named: key, in: places, cursor.bytes) {
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
