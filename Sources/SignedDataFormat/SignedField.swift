/// One member of the documents that Apple signs, with all that the program knows about it.
///
/// ``SignedField/table`` contains every field. Everything about fields is derived from the table: the slots of
/// ``SignedPayload``, the parser, the members of decoded lines, the columns of the database's tables, pseudonyms, the
/// keys and labels in answers of `verify`, the meanings that `inspect` shows, and docs/signed-fields.md.
package struct SignedField: Sendable {
    /// The name of the member in Apple's JSON.
    package let name: String
    package let type: SignedFieldType
    /// The kinds of documents that state the field.
    package let kinds: SignedKinds
    /// The place of the field in its document.
    package let place: Place
    /// The slot in which the field's record stores the value; nil for a field that is only described. Fields that code
    /// uses by name have the slot of their name; fields that only have a column come after them.
    package private(set) var slot: Slot?
    /// The name of the column in the tables of ``storedKinds``, or in the table of the record; nil
    /// for a field without a column.
    package let column: String?
    /// The kinds whose table has the column; empty if the field belongs to a record within the document that has a
    /// separate table.
    package let storedKinds: SignedKinds
    /// The rule that decides between several documents about the same transaction. A field without a rule is in a row
    /// of its own document.
    package let merge: MergeRule?
    /// The kind of person whom the value identifies; nil if it identifies none.
    package let person: Person?
    /// Whether the field shows that a document is of one of the field's kinds.
    package let tellsKind: Bool
    /// The version of Apple's App Store Server API that introduced the field, or the month; nil if it is the first
    /// version, or unknown.
    package let since: String?
    /// The key under which answers of `verify` have the field, if they have it; also the name of the column in views.
    /// Nil for a field that has neither a column nor a key of its own.
    package let key: String?
    /// The label of the field in answers in text; nil for a field that text leaves out.
    package let label: String?
    /// The meaning of the field, as shown by `inspect`.
    package let meaning: String
    /// The meanings of the field's numbers (Apple, App Store Server API). Other numbers are unknown.
    package let words: [Int64: String]
    /// The values that Apple is known to write; empty if any text is allowed.
    package let values: [String]

    /// The places of fields in their documents.
    package enum Place: Sendable, Hashable {
        case top
        /// In the object that a notification is about: under `data`, `summary`, `externalPurchaseToken` or `appData`.
        /// Other kinds of documents have the same field at the top.
        case subject
        /// In the object, or in each object of the list, that is the member of the given name. For `priceTiers` and
        /// `renewalPriceTiers`, each object is called `tier`.
        case inside(String)
    }

    /// The parts of a document that store values in separate slots.
    package enum Record: Sendable, Hashable, CaseIterable {
        /// The document itself, with the objects that occur in it only once.
        case document
        /// What was sold by the Advanced Commerce API.
        case commerce
        /// One item of such a sale.
        case item
        /// One refund of an item.
        case refund
    }

    /// The slot in which a record stores a value.
    package enum Slot: Sendable, Hashable {
        case text(Int)
        case number(Int)
    }

    /// The rule that decides between several documents about the same transaction.
    package enum MergeRule: Sendable, Hashable {
        /// The newest document decides, even if it does not state the field.
        case newest
        /// The newest document that states the group decides, that is, states at least one field with this rule. All
        /// fields of a group come from the same document.
        case newestStating(TermGroup)
        /// The value comes from the document from which the group comes. The field alone does not count as stating the
        /// group: a document that states nothing else of the group is used only while no document states the group.
        case along(TermGroup)
        /// Each document's revocation is in a separate row, and that of the newest document counts.
        case withRevocation
    }

    /// The kinds of persons whom values identify.
    package enum Person: Sendable, Hashable {
        /// An account of the app, identified by the token that the app gave it.
        case accountToken
        /// An App Store account, identified by its ownership of the app.
        case appTransaction
    }

    /// - Parameters:
    ///   - text: the name by which code uses the slot of a text; a field with a column needs none.
    ///   - number: the name by which code uses the slot of a number, date or flag.
    ///   - storedKinds: the kinds whose table has the column; nil for all kinds that state the field.
    ///   - key: the key in the answers of `verify`; nil for the name of the column.
    ///   - values: the values that Apple is known to write, if the list is closed.
    init(
        _ name: String, _ type: SignedFieldType, of kinds: SignedKinds, text: TextField? = nil,
        number: NumberField? = nil, at place: Place = .top, column: String? = nil, in storedKinds: SignedKinds? = nil,
        merge: MergeRule? = nil, person: Person? = nil, tellsKind: Bool = false, since: String? = nil,
        key: String? = nil, label: String? = nil, _ meaning: String, words: [Int64: String] = [:],
        values: [String] = []
    ) {
        (self.name, self.type, self.kinds, self.place) = (name, type, kinds, place)
        let isStored = column != nil && place.record == .document
        (self.column, self.storedKinds) = (column, isStored ? storedKinds ?? kinds : [])
        (self.merge, self.person, self.tellsKind) = (merge, person, tellsKind)
        (self.since, self.key, self.label) = (since, key ?? column, label)
        (self.meaning, self.words, self.values) = (meaning, words, values)
        slot = text.map { .text($0.rawValue) } ?? number.map { .number($0.rawValue) }
    }

    /// The fields, after slots are assigned to those that only have a column.
    static func allotted(_ fields: [SignedField]) -> [SignedField] {
        var next = Record.allCases.map { record in
            record == .document
                ? (texts: TextField.allCases.count, numbers: NumberField.allCases.count) : (texts: 0, numbers: 0)
        }
        let records = Record.allCases
        return fields.map { field in
            guard field.slot == nil, field.column != nil, let record = records.firstIndex(of: field.record) else {
                return field
            }
            var field = field
            if field.type.isText {
                field.slot = .text(next[record].texts)
                next[record].texts += 1
            } else {
                field.slot = .number(next[record].numbers)
                next[record].numbers += 1
            }
            return field
        }
    }

    /// The record that stores the value.
    package var record: Record { place.record }

    /// The numbers of slots that a record needs for texts and for numbers.
    static func slotCounts(of record: Record) -> (texts: Int, numbers: Int) {
        let slots = table.filter { $0.record == record }.compactMap(\.slot)
        let texts = slots.count { if case .text = $0 { true } else { false } }
        return (texts, slots.count - texts)
    }

    /// The name of the member in decoded lines, which ends with the unit if the value is a time; nil without a column.
    package var decodedName: String? {
        column.map { type == .date ? $0 + "_ms" : $0 }
    }

    /// The name of the column in the loader's tables, in which products are referenced by number.
    package var storedColumn: String? {
        column.map { type == .product ? $0.replacing(suffix: "_id", with: "_number") : $0 }
    }

    /// The fields with a column in the table of one kind, in the order of the columns.
    package static func stored(of kind: SignedKinds) -> [SignedField] {
        table.filter { $0.storedKinds.contains(kind) }
    }

    /// The fields with a column in the table of a record within documents, in the order of the
    /// columns.
    package static func stored(in record: Record) -> [SignedField] {
        table.filter { $0.record == record && $0.column != nil }
    }

    /// The first field with a name; nil for an unknown name.
    package static func named(_ name: String) -> SignedField? { table.first { $0.name == name } }

    /// The slots of a document's texts that identify a person.
    static let persons: [(slot: Int, person: Person)] = table.compactMap { field in
        guard case .text(let slot) = field.slot, let person = field.person else { return nil }
        return (slot, person)
    }

    /// The kind of person whom the text in a slot identifies; nil if it identifies none.
    package static func person(namedIn slot: Int) -> Person? { persons.first { $0.slot == slot }?.person }
}

extension SignedField.Place {
    /// The record that stores the values of fields at the place.
    var record: SignedField.Record {
        switch self {
        case .inside("advancedCommerceInfo"), .inside("descriptors"): .commerce
        case .inside("items"), .inside("offer"), .inside("priceIncreaseInfo"): .item
        case .inside("refunds"): .refund
        case .top, .subject, .inside: .document
        }
    }
}

extension String {
    fileprivate func replacing(suffix: String, with other: String) -> String {
        hasSuffix(suffix) ? dropLast(suffix.count) + other : self
    }
}
