public import Foundation

/// Identifiers of texts that repeat, remembered so that the database is asked once.
///
/// Looking a text up allocates nothing. Bounded: when it is full it forgets
/// everything, which costs a look-up per text and no more.
@usableFromInline package struct InternTable {
    @usableFromInline struct Entry {
        @usableFromInline let hash: Int
        @usableFromInline let start: Int
        @usableFromInline let count: Int
        @usableFromInline let number: Int64
    }

    @usableFromInline var entries: [Entry] = []
    /// The remembered texts, one after another.
    @usableFromInline var bytes: [UInt8] = []
    /// Indices of `entries`, by hash and linear probing; -1 is free.
    @usableFromInline var slots = [Int32](repeating: -1, count: 256)
    /// Makes hashes differ from run to run, so that texts can't be chosen to collide.
    @usableFromInline let seed = UInt64.random(in: .min ... .max)

    package init() {}

    /// Texts and their bytes that are remembered. Real archives hold some
    /// thousands; a flood of made-up ones must not fill the memory.
    private static let capacity = 1 << 16
    private static let byteCapacity = 4 << 20
    /// Bytes of a text that is worth remembering; the store's are far shorter.
    private static let longestText = 1 << 10

    /// The number of `text`, from memory or else from `find`.
    @inlinable package mutating func number<Failure>(
        of text: UnsafeBufferPointer<UInt8>, orElse find: () throws(Failure) -> Int64
    ) throws(Failure) -> Int64 {
        let hash = hash(of: text)
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

    /// Folds the text's words into one by multiplication. The texts are short:
    /// the standard library's hasher takes longer to be set up than this takes.
    @inlinable func hash(of text: UnsafeBufferPointer<UInt8>) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        var hash = seed ^ UInt64(text.count)
        var offset = 0
        while offset < bytes.count {
            var word: UInt64 = 0
            if offset + 8 <= bytes.count {
                word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            } else {
                for rest in offset..<bytes.count { word = word << 8 | UInt64(bytes[rest]) }
            }
            let product = (hash ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15 ^ seed << 1)
            hash = product.high ^ product.low
            offset += 8
        }
        return Int(truncatingIfNeeded: hash)
    }

    @inlinable func isEqual(_ entry: Entry, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard entry.count == text.count, let start = text.baseAddress else { return entry.count == text.count }
        return bytes.withUnsafeBufferPointer { bytes in
            guard let remembered = bytes.baseAddress else { return false }
            return memcmp(remembered + entry.start, start, entry.count) == 0
        }
    }

    @usableFromInline mutating func remember(_ text: UnsafeBufferPointer<UInt8>, _ hash: Int, _ number: Int64) {
        guard text.count <= Self.longestText else { return }
        if entries.count >= Self.capacity || bytes.count + text.count > Self.byteCapacity {
            self = InternTable()
        }
        if (entries.count + 1) * 2 > slots.count { grow() }
        entries.append(Entry(hash: hash, start: bytes.count, count: text.count, number: number))
        bytes.append(contentsOf: text)
        occupy(hash, with: entries.count - 1)
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for index in entries.indices { occupy(entries[index].hash, with: index) }
    }

    private mutating func occupy(_ hash: Int, with index: Int) {
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index)
    }
}
