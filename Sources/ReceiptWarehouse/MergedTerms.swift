internal import ReceiptFormat
internal import ReceiptTrust
internal import SignedDataFormat

/// The terms of one purchase, merged from the signed transactions that state them.
///
/// Each group of terms comes from the newest document that states the group, since not all documents state all groups:
/// Apple left out prices for some days of December 2023, and older data lacks them. A term whose rule is `newest` comes
/// from the newest of all documents.
struct MergedTerms {
    /// The values of a document that the merge rule compares.
    struct Source {
        /// The time of signing, milliseconds since 1970.
        let signedAt: Int64
        let digest: SHA256Digest
        /// The document's identifier in the database.
        let receipt: Int64

        func isLater(than other: Source) -> Bool {
            MergeRule.overrules(signedAt, digest, over: other.signedAt, other.digest)
        }
    }

    /// The merged terms: the first columns of `purchase_terms` after the key.
    static let fields = SignedField.stored(of: .transaction).filter { $0.merge != .withRevocation }
    /// The slots of a payload that hold the values of ``fields``.
    static let slots = fields.compactMap(\.slot)
    /// The last columns of `purchase_terms`: for each group, the document that states it, if this is not the newest
    /// document.
    static let sourceColumns = TermGroup.allCases.map(\.sourceColumn)

    /// Fields of one group, as bits in the order of ``fields``.
    private struct Group {
        /// A document states the group only if it states at least one of these fields. A document that states only
        /// other members, such as a currency without a price, counts only while no document states the group.
        let stating: UInt32
        let members: UInt32
    }

    private static let groups = TermGroup.allCases.map { group in
        Group(
            stating: fields { $0 == .newestStating(group) },
            members: fields { $0 == .newestStating(group) || $0 == .along(group) })
    }
    private static let newestOfAll = fields { $0 == .newest }

    private static func fields(_ isWanted: (SignedField.MergeRule?) -> Bool) -> UInt32 {
        fields.indices.reduce(0) { isWanted(fields[$1].merge) ? $0 | 1 << UInt32($1) : $0 }
    }

    /// For each group, the document that states it, as an index among a window's sources; -1 if there is none.
    private(set) var sources = InlineArray<12, Int32>(repeating: -1)
    /// The newest document, as an index among a window's sources; -1 if there is none.
    private(set) var newest: Int32 = -1
    /// Which fields have a value, as bits in the order of ``fields``.
    private var stated: UInt32 = 0
    /// The value of each field: a number, or a range of the window's texts.
    private var values = InlineArray<32, UInt64>(repeating: 0)

    func number(_ field: Int) -> Int64? {
        stated >> UInt32(field) & 1 == 1 ? Int64(bitPattern: values[field]) : nil
    }

    func text(_ field: Int) -> ByteRange? {
        stated >> UInt32(field) & 1 == 1 ? ByteRange(bits: values[field]) : nil
    }

    /// Merges terms that one document states, or stored terms that several documents stated.
    ///
    /// - Parameters:
    ///   - terms: the stated terms.
    ///   - newest: the index of the newest document among `all`.
    ///   - sources: for each group, the index of the document that states it.
    ///   - copy: copies a text to the merged texts.
    mutating func merge(
        _ terms: SignedPayload, newest: Int32, sources: (_ group: Int) -> Int32, among all: [Source],
        copy: (ByteRange) -> ByteRange
    ) {
        if isLater(newest, than: self.newest, all) {
            self.newest = newest
            take(Self.newestOfAll, of: terms, copy)
        }
        let found = Self.stated(by: terms)
        for (index, group) in Self.groups.enumerated() where group.members & found != 0 {
            let source = sources(index)
            let (states, isStated) = (group.stating & found != 0, group.stating & stated != 0)
            if states == isStated ? isLater(source, than: self.sources[index], all) : states {
                self.sources[index] = source
                take(group.members, of: terms, copy)
            }
        }
    }

    private func isLater(_ source: Int32, than other: Int32, _ all: [Source]) -> Bool {
        other < 0 || all[Int(source)].isLater(than: all[Int(other)])
    }

    private static func stated(by terms: SignedPayload) -> UInt32 {
        var found: UInt32 = 0
        for (index, slot) in slots.enumerated() where terms.has(slot) { found |= 1 << UInt32(index) }
        return found
    }

    private mutating func take(_ fields: UInt32, of terms: SignedPayload, _ copy: (ByteRange) -> ByteRange) {
        stated &= ~fields
        var rest = fields
        while rest != 0 {
            let field = rest.trailingZeroBitCount
            rest &= rest - 1
            let value: UInt64? =
                switch Self.slots[field] {
                case .text(let slot): terms[text: slot].map { copy($0).bits }
                case .number(let slot): terms[number: slot].map { UInt64(bitPattern: $0) }
                }
            guard let value else { continue }
            values[field] = value
            stated |= 1 << UInt32(field)
        }
    }
}

extension ByteRange {
    fileprivate var bits: UInt64 { UInt64(start) << 32 | UInt64(length) }
    fileprivate init(bits: UInt64) {
        self.init(offset: Int(bits >> 32), count: Int(bits & 0xffff_ffff))
    }
}
