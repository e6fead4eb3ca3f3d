/// One member of the documents that the store signs, with all that the program knows of the member.
///
/// ``SignedField/table`` holds every field, and all work on fields follows from the table: the
/// slots of ``SignedPayload``, the parser, the members of decoded lines, the columns of the
/// database's tables, pseudonyms, the meanings that `inspect` shows, and docs/signed-fields.md.
package struct SignedField: Sendable {
    /// The name of the member in the store's JSON.
    package let name: String
    package let type: SignedFieldType
    /// The kinds of documents that state the field.
    package let kinds: SignedKinds
    /// The place of the field in its document.
    package let place: Place
    /// The slot in which the field's record keeps the value; nil for a field that is only explained.
    /// Fields that code knows by a name have the slot of their name, and fields that only have a
    /// column come after them.
    package private(set) var slot: Slot?
    /// The name of the column in the tables of ``storedKinds``, or in the table of the record; nil
    /// for a field without a column.
    package let column: String?
    /// The kinds whose own table has the column; none where a record within the document has a
    /// table of its own.
    package let storedKinds: SignedKinds
    /// The rule that picks one of several documents about one transaction. A field without a rule
    /// stands in a row of its document's own.
    package let merge: MergeRule?
    /// The kind of person whom the value names; nil if it names none.
    package let person: Person?
    /// Whether a document that states the field is of one of the field's kinds.
    package let tellsKind: Bool
    /// The version of Apple's App Store Server API that brought the field, or the month; nil for a
    /// field of the first version, or of an unknown one.
    package let since: String?
    /// The meaning of the field, in the words of `inspect`.
    package let meaning: String
    /// The meanings of the field's numbers (Apple, App Store Server API). Another number is unknown.
    package let words: [Int64: String]
    /// The values that the store is known to write; empty if any text may stand.
    package let values: [String]

    /// The places of fields in their documents.
    package enum Place: Sendable, Hashable {
        case top
        /// In the object that a notification is about: under `data`, `summary`,
        /// `externalPurchaseToken` or `appData`. Other kinds state the same field at the top.
        case subject
        /// In the object, or in each object of the list, that is the member of the given name. The
        /// objects of `priceTiers` and `renewalPriceTiers` are each called `tier`.
        case inside(String)
    }

    /// The parts of a document that keep values in slots of their own.
    package enum Record: Sendable, Hashable, CaseIterable {
        /// The document itself, with the objects that stand in it once.
        case document
        /// What was sold by the Advanced Commerce API.
        case commerce
        /// One item of that.
        case item
        /// One refund of an item.
        case refund
    }

    /// The slot in which a record keeps a value.
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
        /// The value comes from the document from which the group comes. The field alone does not state the group: a
        /// document that states nothing else of the group counts only while no document states the group.
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
    ///   - values: the values that the store is known to write, where the list is closed.
    init(
        _ name: String, _ type: SignedFieldType, of kinds: SignedKinds, text: TextField? = nil,
        number: NumberField? = nil, at place: Place = .top, column: String? = nil, in storedKinds: SignedKinds? = nil,
        merge: MergeRule? = nil, person: Person? = nil, tellsKind: Bool = false, since: String? = nil,
        _ meaning: String, words: [Int64: String] = [:], values: [String] = []
    ) {
        (self.name, self.type, self.kinds, self.place) = (name, type, kinds, place)
        let isStored = column != nil && place.record == .document
        (self.column, self.storedKinds) = (column, isStored ? storedKinds ?? kinds : [])
        (self.merge, self.person, self.tellsKind) = (merge, person, tellsKind)
        (self.since, self.meaning, self.words, self.values) = (since, meaning, words, values)
        slot = text.map { .text($0.rawValue) } ?? number.map { .number($0.rawValue) }
    }

    /// The fields, in which those that only have a column have received slots.
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

    /// The record that keeps the value.
    package var record: Record { place.record }

    /// The number of slots for texts, and for numbers, that a record needs.
    static func slotCounts(of record: Record) -> (texts: Int, numbers: Int) {
        let slots = table.filter { $0.record == record }.compactMap(\.slot)
        let texts = slots.count { if case .text = $0 { true } else { false } }
        return (texts, slots.count - texts)
    }

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

    /// The fields with a column in the table of a record within documents, in the order of the
    /// columns.
    package static func stored(in record: Record) -> [SignedField] {
        table.filter { $0.record == record && $0.column != nil }
    }

    /// The first field with a name; nil for an unknown name.
    package static func named(_ name: String) -> SignedField? { table.first { $0.name == name } }

    /// The slots of a document's texts that name a person.
    static let persons: [(slot: Int, person: Person)] = table.compactMap { field in
        guard case .text(let slot) = field.slot, let person = field.person else { return nil }
        return (slot, person)
    }

    /// The person whom the text in a slot names; nil if it names none.
    package static func person(namedIn slot: Int) -> Person? { persons.first { $0.slot == slot }?.person }
}

extension SignedField.Place {
    /// The record that keeps the values of fields at the place.
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
