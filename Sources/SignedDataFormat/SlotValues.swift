package import ReceiptFormat

/// The values of one record of a signed document, in the record's slots (``SignedField/table``).
///
/// Texts are ranges of the buffer in which the document was parsed; dates are milliseconds since 1970 UTC. A slot is
/// nil if the record has no such member, a JSON null, or a value of another type.
package struct SlotValues: Sendable, Equatable {
    /// In a slot without a text, the range is empty; texts of documents are never empty.
    private var texts: [ByteRange]
    private var numbers: [Int64]
    /// A bit for each slot that has a number, the lowest bit for the first slot.
    private var statedNumbers: UInt64 = 0

    /// Creates empty slots for a record.
    package init(of record: SignedField.Record) {
        switch record {
        case .document: self = Self.document
        case .commerce: self = Self.commerce
        case .item: self = Self.item
        case .refund: self = Self.refund
        }
    }

    private init(countedFor record: SignedField.Record) {
        let counts = SignedField.slotCounts(of: record)
        precondition(counts.numbers <= UInt64.bitWidth)
        texts = [ByteRange](repeating: ByteRange(offset: 0, count: 0), count: counts.texts)
        numbers = [Int64](repeating: 0, count: counts.numbers)
    }

    // Arrays that all values of a record share until one of them is changed.
    private static let document = SlotValues(countedFor: .document)
    private static let commerce = SlotValues(countedFor: .commerce)
    private static let item = SlotValues(countedFor: .item)
    private static let refund = SlotValues(countedFor: .refund)

    package subscript(text slot: Int) -> ByteRange? {
        get {
            let text = texts[slot]
            return text.isEmpty ? nil : text
        }
        set { texts[slot] = newValue ?? ByteRange(offset: 0, count: 0) }
    }

    /// The number in a slot. A flag is 0 or 1, and a share is stored as the bits of a Double.
    package subscript(number slot: Int) -> Int64? {
        get { statedNumbers >> UInt64(slot) & 1 == 1 ? numbers[slot] : nil }
        set {
            numbers[slot] = newValue ?? 0
            let bit: UInt64 = 1 << UInt64(slot)
            if newValue == nil { statedNumbers &= ~bit } else { statedNumbers |= bit }
        }
    }

    /// The share in a slot; nil if the number is not from 0 to 1.
    package subscript(share slot: Int) -> Double? {
        get {
            let share = self[number: slot].map { Double(bitPattern: UInt64(bitPattern: $0)) }
            return share.flatMap { (0...1).contains($0) ? $0 : nil }
        }
        set { self[number: slot] = newValue.map { Int64(bitPattern: $0.bitPattern) } }
    }

    package func has(_ slot: SignedField.Slot) -> Bool {
        switch slot {
        case .text(let slot): !texts[slot].isEmpty
        case .number(let slot): statedNumbers >> UInt64(slot) & 1 == 1
        }
    }

    /// Copies the value of a slot from other values of the same record, even if it is nil.
    mutating func take(_ slot: SignedField.Slot, of other: SlotValues) {
        switch slot {
        case .text(let slot): self[text: slot] = other[text: slot]
        case .number(let slot): self[number: slot] = other[number: slot]
        }
    }

    /// Replaces the range of every text.
    mutating func mapTexts<Failure>(_ map: (ByteRange) throws(Failure) -> ByteRange) throws(Failure) {
        for slot in texts.indices where !texts[slot].isEmpty { texts[slot] = try map(texts[slot]) }
    }
}
