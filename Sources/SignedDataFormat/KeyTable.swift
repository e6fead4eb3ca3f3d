internal import MillSystem

/// Finds the numbers of known keys by their texts.
struct KeyTable: Sendable {
    private let names: [[UInt8]]
    /// Numbers of the names by hash and linear probing; `free` where there is none.
    private var slots: [UInt8]

    private static let slotCount = 256
    private static let free: UInt8 = 0xff

    /// - Parameter names: at most half as many as there are slots; a key's number is its index.
    init(_ names: [String]) {
        precondition(names.count <= Self.slotCount / 2)
        self.names = names.map { Array($0.utf8) }
        slots = [UInt8](repeating: Self.free, count: Self.slotCount)
        for (number, name) in self.names.enumerated() {
            var slot = Self.slot(name.span, name.indices)
            while slots[slot] != Self.free { slot = (slot + 1) % Self.slotCount }
            slots[slot] = UInt8(number)
        }
    }

    func number(_ bytes: Span<UInt8>, _ key: Range<Int>) -> Int? {
        guard !key.isEmpty else { return nil }
        var slot = Self.slot(bytes, key)
        while slots[slot] != Self.free {
            let number = Int(slots[slot])
            if ByteSearch.isEqual(bytes, key, names[number]) { return number }
            slot = (slot + 1) % Self.slotCount
        }
        return nil
    }

    /// Length, first, middle and last character tell most keys apart.
    private static func slot(_ bytes: Span<UInt8>, _ key: Range<Int>) -> Int {
        let middle = key.lowerBound + key.count / 2
        let mixed =
            key.count &* 37 &+ Int(bytes[key.lowerBound]) &* 11 &+ Int(bytes[middle]) &* 5
            &+ Int(bytes[key.upperBound - 1])
        return mixed % slotCount
    }
}
