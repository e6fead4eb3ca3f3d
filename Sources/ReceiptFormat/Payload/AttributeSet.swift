/// Which attributes of a payload have been read, so that none counts twice.
///
/// A writer that repeats an attribute leaves it to the reader which one holds;
/// readers that differ there can be played against each other.
struct AttributeSet {
    private var seen: UInt64 = 0

    /// Notes an attribute; types from `firstType` on, 64 of them, are watched.
    mutating func insert(_ attribute: Attribute, firstType: Int64) throws(MalformedReceipt) {
        let (index, overflow) = attribute.type.subtractingReportingOverflow(firstType)
        guard !overflow, (0..<64).contains(index) else { return }
        let bit: UInt64 = 1 << UInt64(index)
        guard seen & bit == 0 else {
            throw MalformedReceipt(.duplicateAttribute, at: attribute.value.offset)
        }
        seen |= bit
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
