package import ReceiptTrust

/// Numbers by digest, in the order in which they came.
package struct DigestTable {
    package private(set) var entries: [(digest: SHA256Digest, number: Int64)] = []
    /// Indices of `entries`, by hash and linear probing; -1 is free.
    private var slots = [Int32](repeating: -1, count: 1 << 10)

    package init() {}

    package subscript(digest: SHA256Digest) -> Int64? {
        let index = Int(slots[slot(of: digest)])
        return index < 0 ? nil : entries[index].number
    }

    /// Sets a digest's number.
    package mutating func update(_ digest: SHA256Digest, to number: Int64) {
        if let index = insert(digest, number) { entries[index].number = number }
    }

    /// Gives a digest a number where it has none.
    ///
    /// - Returns: the index in `entries` of one that has; nil where it had none.
    package mutating func insert(_ digest: SHA256Digest, _ number: Int64) -> Int? {
        let slot = slot(of: digest)
        if case let index = Int(slots[slot]), index >= 0 { return index }
        slots[slot] = Int32(entries.count)
        entries.append((digest, number))
        if entries.count * 2 > slots.count { occupy(slotCount: slots.count * 2) }
        return nil
    }

    /// Removes the digests for which `isObsolete` is true.
    package mutating func removeAll(where isObsolete: (SHA256Digest, Int64) -> Bool) {
        entries.removeAll { isObsolete($0.digest, $0.number) }
        occupy(slotCount: slots.count)
    }

    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        occupy(slotCount: slots.count)
    }

    /// The slot that holds a digest, else the free one where it belongs.
    private func slot(of digest: SHA256Digest) -> Int {
        // Seeded by Swift. A product with a random factor would not do: digests that count up from zero
        // fill one run of slots then.
        var slot = digest.hashValue & (slots.count - 1)
        while slots[slot] >= 0, entries[Int(slots[slot])].digest != digest { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func occupy(slotCount: Int) {
        slots = [Int32](repeating: -1, count: slotCount)
        for (index, entry) in entries.enumerated() { slots[slot(of: entry.digest)] = Int32(index) }
    }
}
