/// Finds the number of a known key, such as a member's name, by its bytes.
package struct KeyTable: Sendable {
    /// The keys in the order of their numbers.
    package let names: [[UInt8]]
    private var slots: SlotTable

    /// - Parameter names: the known keys. A key's number is its index; if a key is repeated, its first index.
    package init(_ names: some Sequence<[UInt8]>) {
        let names = Array(names)
        self.names = names
        slots = SlotTable(capacity: 2 * names.count)
        for (number, name) in names.enumerated() where self.number(name.span, name.indices) == nil {
            slots.insert(number, Self.hash(name)) { Self.hash(names[$0]) }
        }
    }

    /// - Parameter names: the known keys. A key's number is its index; if a key is repeated, its first index.
    package init(_ names: some Sequence<String>) { self.init(names.map { Array($0.utf8) }) }

    /// The number of the key at a range of `bytes`; nil for an unknown key.
    package func number(_ bytes: Span<UInt8>, _ key: Range<Int>) -> Int? {
        slots.index(Self.hash(bytes, key)) { ByteSearch.isEqual(bytes, key, names[$0]) }
    }

    private static func hash(_ name: [UInt8]) -> Int { hash(name.span, name.indices) }

    /// Length, first, middle and last byte distinguish most keys. The known keys are fixed, so input can't make them
    /// collide, and an unknown key is compared with only a few.
    private static func hash(_ bytes: Span<UInt8>, _ key: Range<Int>) -> Int {
        guard !key.isEmpty else { return 0 }
        let middle = key.lowerBound + key.count / 2
        return key.count &* 37 &+ Int(bytes[key.lowerBound]) &* 11 &+ Int(bytes[middle]) &* 5
            &+ Int(bytes[key.upperBound - 1])
    }
}
