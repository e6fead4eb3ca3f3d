package import MillJSON

/// Fields of text that code uses by name, in the order of their slots.
package enum TextField: Int, CaseIterable, Sendable {
    case transactionID, originalTransactionID, productID, productType, offerID, offerDiscountType
    case bundleID, environment, receiptType, applicationVersion, originalApplicationVersion
    case deviceVerification, deviceVerificationNonce
    case notificationType, signedTransaction, signedRenewal, signedAppTransaction, externalPurchaseID
}

/// Fields of numbers, dates and flags that code uses by name, in the order of their slots.
package enum NumberField: Int, CaseIterable, Sendable {
    case webOrderLineItemID, quantity, offerType
    case purchaseDate, originalPurchaseDate, expiresDate, signedDate, receiptCreationDate, preorderDate
    case revocationDate, revocationReason
    case appAppleID, versionExternalIdentifier, amount
}

/// The type of a field's value, and its unit.
package enum SignedFieldType: Sendable {
    case text
    /// The name of an environment. `Sandbox` is stored as `ProductionSandbox`, the name in receipts.
    case environment
    /// A product identifier, which the database stores in a separate table.
    case product
    /// A transaction identifier that is a text.
    case transaction
    /// Another signed string.
    case signedString
    /// A text that proves on which device the document was made. Verification checks it; it is never stored.
    case deviceProof
    /// A number that is written as text.
    case identifier
    /// A number without a fraction.
    case integer
    /// A number with a defined meaning, such as a status.
    case code
    /// An amount of money in thousandths of the currency unit.
    case amount
    /// A share in thousandths of a percent. A payload stores the bits of a Double that is 1 for the whole.
    case share
    /// Milliseconds since 1970 UTC. An earlier date counts as absent, because Xcode writes the year 1 for an event that
    /// did not happen.
    case date
    /// Milliseconds since 1970 UTC; negative values are allowed.
    case signingDate
    case flag
    /// An array or object that is stored as its JSON text.
    case json
    /// A list of seats and prices that is stored as its JSON text.
    case tiers
    /// The total price of all seats in a list, in thousandths of the currency unit. It is computed from the field of
    /// the same name and place.
    case tierSum
    /// The text of the field of the same name and place, if Apple is not known to write it; otherwise absent.
    case unknownValue
    /// An object that a notification is about. If there are several, the first in the table that states a field counts.
    case subject
    /// Any other object; its members are separate fields.
    case structure
    /// A list of objects; their members are separate fields.
    case list

    /// Whether a payload stores the value as a text instead of a number.
    package var isText: Bool {
        switch self {
        case .text, .environment, .product, .transaction, .signedString, .deviceProof, .json, .tiers, .unknownValue:
            true
        case .identifier, .integer, .code, .amount, .share, .date, .signingDate, .flag, .tierSum, .subject,
            .structure, .list:
            false
        }
    }

    /// The kind of JSON value of the field; for a field that accepts two kinds, the usual one.
    package var jsonKind: JSONToken.Kind {
        switch self {
        case .text, .environment, .product, .transaction, .signedString, .deviceProof, .identifier, .unknownValue:
            .string
        case .integer, .code, .amount, .share, .date, .signingDate, .tierSum: .number
        case .flag: .boolean
        case .json, .tiers, .list: .array
        case .subject, .structure: .object
        }
    }

    package func accepts(_ kind: JSONToken.Kind) -> Bool { kind == jsonKind || (self == .json && kind == .object) }

    /// Whether the value is computed from the value of another field.
    package var isDerived: Bool { self == .tierSum || self == .unknownValue }
}

/// Groups of a transaction's fields that a document states together or not at all. The raw value is the beginning of a
/// column's name. The column identifies the document from which the group comes, if this is not the newest document.
package enum TermGroup: String, Sendable, CaseIterable {
    case price, storefront, ownership, offer, reason, plan, seats, previous
    case subscriptionGroup = "subscription_group"
    case accountToken = "app_account_token"
    case appTransaction = "app_transaction"

    /// The column of `purchase_terms` that identifies the document from which the group comes.
    package var sourceColumn: String { rawValue + "_receipt_id" }
}
