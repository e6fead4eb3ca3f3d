package import ReceiptFormat

/// A set of kinds of signed documents, as the table of fields states them.
package struct SignedKinds: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Transactions (Apple, App Store Server API: JWSTransactionDecodedPayload).
    package static let transaction = SignedKinds(rawValue: 1)
    /// Renewal infos (Apple, App Store Server API: JWSRenewalInfoDecodedPayload).
    package static let renewal = SignedKinds(rawValue: 2)
    /// App transactions (Apple, StoreKit: AppTransaction).
    package static let appTransaction = SignedKinds(rawValue: 4)
    /// Notifications (Apple, App Store Server Notifications: responseBodyV2DecodedPayload).
    package static let notification = SignedKinds(rawValue: 8)
    /// Apple's requests for a message to a customer who is about to cancel (Apple, Retention Messaging API:
    /// DecodedRealtimeRequestBody).
    package static let realtimeRequest = SignedKinds(rawValue: 16)
    package static let all = SignedKinds(SignedDocumentKind.all.map(\.fields))
}

/// A kind of signed documents: what a payload of this kind has to state, and where it is written and stored. The table
/// of fields, ``SignedField``, has the members of its payloads.
package struct SignedDocumentKind: Sendable {
    /// A column that each row of a kind's own table has beside those of the fields.
    package enum DocumentColumn: String, Sendable {
        case environment
        case signedAt = "signed_at"
    }

    package let kind: ReceiptKind
    /// The kind in the table of fields.
    package let fields: SignedKinds
    /// What messages call a document of this kind.
    let noun: String
    /// The field without which a payload is malformed, and its name.
    let required: (field: TextField, name: String)?
    /// The member of a decoded line that holds the payload.
    package let member: StaticString
    /// The columns of the kind's own table, which has the name of the member; nil if there is none, because the values
    /// are merged with those of purchases.
    package let documentColumns: [DocumentColumn]?

    /// All kinds. A payload that has members of several kinds is of the first.
    package static let all = [
        SignedDocumentKind(
            kind: .notification, fields: .notification, noun: "notification",
            required: (.notificationType, "notificationType"), member: "notification", documentColumns: [.environment]),
        SignedDocumentKind(
            kind: .signedTransaction, fields: .transaction, noun: "transaction",
            required: (.transactionID, "transactionId"), member: "terms", documentColumns: nil),
        SignedDocumentKind(
            kind: .signedRenewal, fields: .renewal, noun: "renewal info",
            required: (.originalTransactionID, "originalTransactionId"), member: "renewal",
            documentColumns: [.environment, .signedAt]),
        SignedDocumentKind(
            kind: .appTransaction, fields: .appTransaction, noun: "app transaction", required: nil,
            member: "app_transaction", documentColumns: []),
        SignedDocumentKind(
            kind: .realtimeRequest, fields: .realtimeRequest, noun: "realtime request", required: nil,
            member: "realtime_request", documentColumns: [.environment]),
    ]

    /// The description of a kind of documents; nil for receipts.
    package static func of(_ kind: ReceiptKind) -> SignedDocumentKind? { all.first { $0.kind == kind } }

    /// The fields of payloads of this kind that have a column, in the order of the table of fields.
    package var stored: [SignedField] { SignedField.stored(of: fields) }
}
