/// Which attributes of a payload have been read, so that none counts twice.
///
/// A writer that repeats an attribute leaves it to the reader which one holds;
/// readers that differ there can be played against each other. That holds for
/// types that are skipped here as well: another reader may know them.
struct AttributeSet {
    /// The first of the 64 types that stores write, which take a bit each.
    private let firstType: Int64
    private(set) var bits: UInt64 = 0
    /// Types beyond those. Nil until there is one, so that no receipt of a store
    /// pays for it; an attribute limit bounds it.
    private(set) var others: Set<Int64>?

    init(firstType: Int64) {
        self.firstType = firstType
    }

    /// Notes an attribute, which must not have been noted before.
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
    /// The same fault, said to be in `attribute` unless one is named already.
    func naming(_ attribute: Attribute) -> MalformedReceipt {
        var error = self
        error.attribute = error.attribute ?? attribute.type
        return error
    }
}
