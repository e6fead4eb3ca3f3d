/// The types of a payload's attributes that have been read, to refuse duplicates.
///
/// Parsers differ in which of two equal attributes they use, and a receipt that repeats one could
/// pass a check with the first and be used with the second. Skipped types are recorded as well,
/// because another parser may know them.
struct AttributeSet {
    /// The first of the 64 types that take one bit each, as all of a store's do.
    private let firstType: Int64
    /// The types from ``firstType`` on, the lowest bit's first.
    private(set) var bits: UInt64 = 0
    /// The types without a bit; nil until there is one, so that a store's receipt allocates
    /// nothing. ``AppReceipt/maximumAttributes`` bounds their number.
    private(set) var others: Set<Int64>?

    init(firstType: Int64) {
        self.firstType = firstType
    }

    /// Records an attribute's type.
    ///
    /// - Throws: `.duplicateAttribute` where the type was recorded before.
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
    /// The error with the type of `attribute`, unless the error names a type already.
    func naming(_ attribute: Attribute) -> MalformedReceipt {
        var error = self
        error.attribute = error.attribute ?? attribute.type
        return error
    }
}
