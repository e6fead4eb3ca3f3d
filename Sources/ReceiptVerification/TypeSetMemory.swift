internal import ReceiptFormat

/// What was made of sets of types, remembered: all receipts of a store have a few
/// dozen different sets.
@usableFromInline package struct TypeSetMemory<Value> {
    @usableFromInline var entries: [(bits: UInt64, value: Value)] = []

    /// Sets that are remembered; made-up ones must not fill the memory.
    @inlinable static var capacity: Int { 64 }

    package init() {}

    /// The value for a set's bits, from memory or else from `make`.
    @inlinable package mutating func value<Failure>(
        for bits: UInt64, orElse make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        for entry in entries where entry.bits == bits { return entry.value }
        let value = try make()
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append((bits, value))
        return value
    }
}

extension UndocumentedTypes {
    /// The types in decimal, ascending, parted by commas.
    package var list: String { types.map { String($0) }.joined(separator: ",") }
}
