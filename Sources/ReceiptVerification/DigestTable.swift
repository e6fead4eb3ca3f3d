internal import MillBytes
package import ReceiptTrust

/// Numbers by digest, in the order of insertion.
package struct DigestTable {
    package private(set) var entries: [(digest: SHA256Digest, number: Int64)] = []
    /// The indices of entries by hash. Swift seeds the hashes. A product with a random factor would not suffice,
    /// because digests that count up from zero would fill one run of slots.
    private var slots = SlotTable(capacity: 512)

    package init() {}

    package subscript(digest: SHA256Digest) -> Int64? { index(of: digest).map { entries[$0].number } }

    /// Sets a digest's number.
    package mutating func update(_ digest: SHA256Digest, to number: Int64) {
        if let index = insert(digest, number) { entries[index].number = number }
    }

    /// Sets a digest's number if it has none.
    ///
    /// - Returns: the index in `entries` of the digest's entry; nil if the digest had none
    ///   before.
    package mutating func insert(_ digest: SHA256Digest, _ number: Int64) -> Int? {
        if let index = index(of: digest) { return index }
        entries.append((digest, number))
        slots.insert(entries.count - 1, digest.hashValue) { entries[$0].digest.hashValue }
        return nil
    }

    /// Removes the digests for which `isObsolete` is true.
    package mutating func removeAll(where isObsolete: (SHA256Digest, Int64) -> Bool) {
        entries.removeAll { isObsolete($0.digest, $0.number) }
        slots.removeAll()
        for index in entries.indices {
            slots.insert(index, entries[index].digest.hashValue) { entries[$0].digest.hashValue }
        }
    }

    package mutating func removeAll() { removeAll { _, _ in true } }

    private func index(of digest: SHA256Digest) -> Int? {
        slots.index(digest.hashValue) { entries[$0].digest == digest }
    }
}
