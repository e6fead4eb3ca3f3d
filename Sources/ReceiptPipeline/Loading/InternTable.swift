/// Numbers of texts that repeat, remembered so that the database is asked once.
///
/// Looking a text up allocates nothing. Bounded: when it is full it forgets
/// everything, which costs a look-up per text and no more.
struct InternTable {
    private struct Entry {
        let hash: Int
        let start: Int
        let count: Int
        let number: Int64
    }

    private var entries: [Entry] = []
    /// The remembered texts, one after another.
    private var bytes: [UInt8] = []
    /// Places in `entries`, by hash and linear probing; -1 is free.
    private var slots = [Int32](repeating: -1, count: 256)

    /// Texts and their bytes that are remembered. Real archives hold some
    /// thousands; a flood of made-up ones must not fill the memory.
    private static let capacity = 1 << 16
    private static let byteCapacity = 4 << 20

    /// The number of `text`, from memory or else from `find`.
    mutating func number(
        of text: UnsafeBufferPointer<UInt8>, orElse find: () throws(MillError) -> Int64
    ) throws(MillError) -> Int64 {
        // Seeded anew by every process, so that nobody can choose texts that
        // meet in one slot.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(text))
        let hash = hasher.finalize()
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash, isEqual(entry, text) { return entry.number }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = try find()
        remember(text, hash, number)
        return number
    }

    private func isEqual(_ entry: Entry, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard entry.count == text.count else { return false }
        for index in 0..<text.count where bytes[entry.start + index] != text[index] { return false }
        return true
    }

    private mutating func remember(_ text: UnsafeBufferPointer<UInt8>, _ hash: Int, _ number: Int64) {
        if entries.count >= Self.capacity || bytes.count + text.count > Self.byteCapacity {
            self = InternTable()
            guard text.count <= Self.byteCapacity else { return }
        }
        if (entries.count + 1) * 2 > slots.count { grow() }
        entries.append(Entry(hash: hash, start: bytes.count, count: text.count, number: number))
        bytes.append(contentsOf: text)
        occupy(hash, with: entries.count - 1)
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for place in entries.indices { occupy(entries[place].hash, with: place) }
    }

    private mutating func occupy(_ hash: Int, with place: Int) {
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(place)
    }
}
