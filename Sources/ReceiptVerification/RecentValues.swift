internal import ReceiptFormat

/// A cache of the most recent values for some keys, such as sets of attribute types: all of Apple's receipts have only
/// a few dozen different sets.
@usableFromInline package struct RecentValues<Key: Equatable, Value> {
    @usableFromInline var entries: [(key: Key, value: Value)] = []

    /// The maximum number of cached keys; invented ones must not fill the memory.
    @inlinable static var capacity: Int { 64 }

    package init() {}

    /// The value for a key, from the cache or else from `make`.
    @inlinable package mutating func value<Failure>(
        for key: Key, orElse make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        for entry in entries where entry.key == key { return entry.value }
        let value = try make()
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append((key, value))
        return value
    }
}

extension UndocumentedTypes {
    /// The types in decimal, ascending, with commas between them.
    package var list: String { types.map { String($0) }.joined(separator: ",") }
}
