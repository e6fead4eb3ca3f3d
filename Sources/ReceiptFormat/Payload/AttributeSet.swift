/// The types of a payload's attributes that have been read, for refusing duplicates.
///
/// Parsers differ in which of two equal attributes they use, so a receipt that repeats one could pass a check with the
/// first and be used with the second. Skipped types are recorded as well, because another parser may know them.
struct AttributeSet {
    /// The first of the 64 types that are stored as one bit each; all types in Apple's receipts are among them.
    private let firstType: Int64
    /// The types from ``firstType`` on; the lowest bit is for the first.
    private(set) var bits: UInt64 = 0
    /// The types that have no bit; nil until there is one, so that Apple's receipts need no allocation.
    /// ``AppReceipt/maximumAttributes`` limits their number.
    private(set) var others: Set<Int64>?

    init(firstType: Int64) {
        self.firstType = firstType
    }

    /// Records an attribute's type.
    ///
    /// - Throws: `.duplicateAttribute` if the type was already recorded.
    mutating func insert(_ attribute: Attribute) throws(MalformedReceipt) {
        let index = attribute.type &- firstType
        guard UInt64(bitPattern: index) < 64 else { return try insertOther(attribute) }
        let bit: UInt64 = 1 << UInt64(index)
        guard bits & bit == 0 else {
            throw MalformedReceipt(.duplicateAttribute, at: attribute.value.offset)
        }
        bits |= bit
    }

    @inline(never)
    private mutating func insertOther(_ attribute: Attribute) throws(MalformedReceipt) {
        guard others?.insert(attribute.type).inserted ?? true else {
            throw MalformedReceipt(.duplicateAttribute, at: attribute.value.offset)
        }
        if others == nil { others = [attribute.type] }
    }
}

extension MalformedReceipt {
    /// The error with the type of `attribute`, unless the error already names a type.
    func naming(_ attribute: Attribute) -> MalformedReceipt {
        var error = self
        error.attribute = error.attribute ?? attribute.type
        return error
    }
}
