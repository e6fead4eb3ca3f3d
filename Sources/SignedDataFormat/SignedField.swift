/// One member of the documents that the store signs, with all that the program knows of it.
///
/// ``SignedField/table`` holds every field, and all work on fields follows from the table: the
/// slots of ``SignedPayload``, the parser, the members of decoded lines, the columns of the
/// database's tables, pseudonyms, the meanings that `inspect` shows, and docs/signed-fields.md.
package struct SignedField: Sendable {
    /// The name of the member in the store's JSON. A name means the same wherever it stands.
    package let name: String
    package let type: SignedFieldType
    /// The kinds of documents that state the field.
    package let kinds: SignedKinds
    /// The place of the field in its document.
    package let place: Place
    /// The slot in which a payload keeps the value; nil for a field that is only explained. Fields
    /// that code knows by a name have the slot of their name, and fields that only have a column
    /// come after them.
    package private(set) var slot: Slot?
    /// The name of the column in the tables of ``storedKinds``; nil for a field without a column.
    package let column: String?
    /// The kinds whose own table has the column.
    package let storedKinds: SignedKinds
    /// The rule that picks one of several documents about one transaction. A field without a rule
    /// stands in a row of its document's own.
    package let merge: MergeRule?
    /// The kind of person whom the value names; nil where it names none.
    package let person: Person?
    /// Whether a document that states the field is of one of the field's kinds.
    package let tellsKind: Bool
    /// The version of Apple's App Store Server API that brought the field, or the month; nil for a
    /// field of the first version, or of an unknown one.
    package let since: String?
    /// The meaning of the field, in the words of `inspect`.
    package let meaning: String
    /// The meanings of the field's numbers (Apple, App Store Server API).
    package let words: [Int64: String]

    /// The places of fields in their documents.
    package enum Place: Sendable, Hashable {
        case top
        /// In the object that a notification is about: under `data`, `summary`,
        /// `externalPurchaseToken` or `appData`. Other kinds state the same field at the top.
        case subject
        /// In the member of the given name, at any depth.
        case inside(String)
    }

    /// The slot in which a payload keeps a value.
    package enum Slot: Sendable, Hashable {
        case text(Int)
        case number(Int)
    }

    /// The rule by which one of several documents about one transaction decides.
    package enum MergeRule: Sendable, Hashable {
        /// The newest document decides, even where it states nothing.
        case newest
        /// The newest document that states the group decides; a document states the group where it
        /// states at least one field with this rule. Fields of one group come from one document.
        case newestStating(TermGroup)
        /// The document from which the group comes decides, although the field alone doesn't state
        /// the group.
        case along(TermGroup)
        /// Every document's revocation stands in a row of its own, and the newest document's counts.
        case withRevocation
    }

    /// The kinds of persons whom values name.
    package enum Person: Sendable, Hashable {
        /// An account of the app, named by the token that the app gave it.
        case accountToken
        /// An account of the store, named by its ownership of the app.
        case appTransaction
    }

    /// - Parameters:
    ///   - text: the name by which code knows the slot of a text; a field with a column needs no
    ///     name.
    ///   - number: the name by which code knows the slot of a number, date or flag.
    ///   - storedKinds: the kinds whose table has the column; nil for all kinds that state the
    ///     field.
    init(
        _ name: String, _ type: SignedFieldType, of kinds: SignedKinds, text: TextField? = nil,
        number: NumberField? = nil, at place: Place = .top, column: String? = nil, in storedKinds: SignedKinds? = nil,
        merge: MergeRule? = nil, person: Person? = nil, tellsKind: Bool = false, since: String? = nil,
        _ meaning: String, words: [Int64: String] = [:]
    ) {
        (self.name, self.type, self.kinds, self.place) = (name, type, kinds, place)
        (self.column, self.storedKinds) = (column, column == nil ? [] : storedKinds ?? kinds)
        (self.merge, self.person, self.tellsKind) = (merge, person, tellsKind)
        (self.since, self.meaning, self.words) = (since, meaning, words)
        slot = text.map { .text($0.rawValue) } ?? number.map { .number($0.rawValue) }
    }

    /// The fields, in which those that only have a column have received slots.
    static func allotted(_ fields: [SignedField]) -> [SignedField] {
        var (texts, numbers) = (TextField.allCases.count, NumberField.allCases.count)
        return fields.map { field in
            guard field.slot == nil, field.column != nil else { return field }
            var field = field
            if field.type.isText {
                field.slot = .text(texts)
                texts += 1
            } else {
                field.slot = .number(numbers)
                numbers += 1
            }
            return field
        }
    }

    /// The number of slots for texts, and for numbers, that the fields of the table need.
    package static let textSlotCount = table.count { if case .text = $0.slot { true } else { false } }
    package static let numberSlotCount = table.count { if case .number = $0.slot { true } else { false } }

    /// The name of the member in decoded lines, which ends with the unit where the value is a time;
    /// nil without a column.
    package var decodedName: String? {
        column.map { type == .date ? $0 + "_ms" : $0 }
    }

    /// The name of the column in the loader's tables, which hold products by number.
    package var storedColumn: String? {
        column.map { type == .product ? $0.replacing(suffix: "_id", with: "_number") : $0 }
    }

    /// The fields with a column in the table of one kind, in the order of the columns.
    package static func stored(of kind: SignedKinds) -> [SignedField] {
        table.filter { $0.storedKinds.contains(kind) }
    }

    /// The field with a name; nil for an unknown name.
    package static func named(_ name: String) -> SignedField? { table.first { $0.name == name } }

    /// The slots of texts that name a person.
    static let persons: [(slot: Int, person: Person)] = table.compactMap { field in
        guard case .text(let slot) = field.slot, let person = field.person else { return nil }
        return (slot, person)
    }

    /// The person whom the text in a slot names; nil where it names none.
    package static func person(namedIn slot: Int) -> Person? { persons.first { $0.slot == slot }?.person }
}

extension String {
    fileprivate func replacing(suffix: String, with other: String) -> String {
        hasSuffix(suffix) ? dropLast(suffix.count) + other : self
    }
}

/// Fields of text that code knows by name, in the order of their slots.
package enum TextField: Int, CaseIterable, Sendable {
    case transactionID, originalTransactionID, productID, productType, offerID, offerDiscountType
    case bundleID, environment, receiptType, applicationVersion, originalApplicationVersion
    case deviceVerification, deviceVerificationNonce
    case notificationType, signedTransaction, signedRenewal, signedAppTransaction
}

/// Fields of numbers, dates and flags that code knows by name, in the order of their slots.
package enum NumberField: Int, CaseIterable, Sendable {
    case webOrderLineItemID, quantity, offerType
    case purchaseDate, originalPurchaseDate, expiresDate, signedDate, receiptCreationDate, preorderDate
    case revocationDate, revocationReason
    case appAppleID, versionExternalIdentifier, externalPurchaseID
}

/// The type of a field's value, and its unit.
package enum SignedFieldType: Sendable {
    case text
    /// The text of an environment. `Sandbox` reads `ProductionSandbox`, as receipts name it.
    case environment
    /// The text of a product's identifier, which the database catalogues.
    case product
    /// The text of a transaction's identifier.
    case transaction
    /// Another signed string.
    case signedString
    /// A text that proves on which device the document was made; verification checks the text, and
    /// nothing stores it.
    case deviceProof
    /// A number that is written as text.
    case identifier
    /// A number without a fraction.
    case integer
    /// A number with a meaning of its own, such as a status.
    case code
    /// An amount of money in thousandths of the currency's unit.
    case amount
    /// A share in thousandths of a percent; a payload keeps the bits of the share as a Double,
    /// which is 1 for the whole.
    case share
    /// Milliseconds since 1970 UTC. An earlier date counts as absent, because Xcode writes the year
    /// 1 for an event that did not happen.
    case date
    /// Milliseconds since 1970 UTC, or before.
    case signingDate
    case flag
    /// An identifier of a purchase outside the store, which begins with SANDBOX in the sandbox.
    case sandboxToken
    /// The object that a notification is about. Of several the first in the table counts.
    case subject
    /// Another object or an array, whose members are fields of their own.
    case structure

    /// Whether a payload keeps the value as a text, and not as a number.
    package var isText: Bool {
        switch self {
        case .text, .environment, .product, .transaction, .signedString, .deviceProof: true
        case .identifier, .integer, .code, .amount, .share, .date, .signingDate, .flag, .sandboxToken, .subject,
            .structure:
            false
        }
    }
}

/// Kinds of signed documents.
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
    package static let all: SignedKinds = [.transaction, .renewal, .appTransaction, .notification]
}

/// Groups of a transaction's fields that a document states together or not at all. The raw value
/// begins the name of the column that names the group's document where the newest document doesn't
/// state the group.
package enum TermGroup: String, Sendable, CaseIterable {
    case price, storefront, ownership, offer, reason
    case subscriptionGroup = "subscription_group"
    case accountToken = "app_account_token"
    case appTransaction = "app_transaction"

    /// The column of `purchase_terms` that names the document from which the group comes.
    package var sourceColumn: String { rawValue + "_receipt_id" }
}
