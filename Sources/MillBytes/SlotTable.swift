/// Finds entries by their hashes, with open addressing and linear probing.
///
/// The table's owner stores the entries in an array, and compares and hashes them; the table stores their indices.
@usableFromInline package struct SlotTable: Sendable {
    /// Indices of entries; -1 marks a free slot. The number of slots is a power of two, and at least half of them are
    /// free.
    @usableFromInline var slots: [Int32]
    @usableFromInline var count = 0

    /// Creates a table that grows when it has more than `capacity` entries.
    package init(capacity: Int = 128) {
        var slotCount = 2
        while slotCount < 2 * capacity { slotCount *= 2 }
        slots = [Int32](repeating: -1, count: slotCount)
    }

    /// The index of the entry with this hash that `isWanted` accepts; nil if there is none.
    @inlinable @inline(__always)
    package func index(_ hash: Int, where isWanted: (Int) -> Bool) -> Int? {
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if isWanted(index) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds the index of an entry that ``index(_:where:)`` has not found.
    ///
    /// - Parameter hashes: returns the hash of the entry at an index; called when the table grows.
    @inlinable
    package mutating func insert(_ index: Int, _ hash: Int, hashes: (Int) -> Int) {
        count += 1
        if 2 * count > slots.count {
            let former = slots
            slots = [Int32](repeating: -1, count: 2 * former.count)
            for other in former where other >= 0 { occupy(hashes(Int(other)), other) }
        }
        occupy(hash, Int32(index))
    }

    @inlinable
    mutating func occupy(_ hash: Int, _ index: Int32) {
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = index
    }

    /// Removes all indices, and keeps the memory.
    package mutating func removeAll() {
        count = 0
        for slot in slots.indices { slots[slot] = -1 }
    }
}
