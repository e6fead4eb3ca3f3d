internal import CMemory
internal import ReceiptFormat
internal import ReceiptTrust

/// Merges purchases between two commits, so that each transaction is written only once, and in the order of keys.
struct PurchaseMergeBuffer {
    /// The identity of a purchase: the app in its environment, and the transaction. For claims (purchases in receipts
    /// that are not trusted), the key also has the verdict and the kind of receipt, because a withdrawal applies to one
    /// kind only.
    struct Key: Equatable {
        let app: Int64
        let transaction: TransactionIdentifier
        let verdict: Verdict
        let kind: ReceiptKind

        @inline(__always)
        static func == (left: Self, right: Self) -> Bool {
            left.transaction.code == right.transaction.code && left.app == right.app
                && left.verdict == right.verdict && left.kind == right.kind
        }
    }

    enum MergeOutcome {
        /// The same receipt has already stated this transaction; its first statement counts.
        case duplicate
        /// Another receipt has stated a later state.
        case stale
        /// The latest state so far. A row was begun for it, and the caller has to add its cells.
        case latest
    }

    private struct Entry {
        let key: Key
        var asOf: Int64
        /// Indices in `sources` of the receipt that states the latest state, and of the receipt that was merged last.
        var source, lastSource: Int32
    }

    /// The rows of the entries, in the same order.
    var rows: RowBuffer
    /// Texts that the keys refer to.
    var texts = TextTable()
    private var entries: [Entry] = []
    private var sources: [SHA256Digest] = []
    /// A hash table of indices in `entries`, with linear probing; -1 marks a free slot.
    private var slots = [Int32](repeating: -1, count: 1 << 12)
    /// A random seed for each run, so that a writer of archives can't choose transaction identifiers whose slots
    /// collide.
    private let seed = UInt64.random(in: .min ... .max) | 1
    /// An odd number with evenly distributed bits, derived from the golden ratio.
    private static let multiplier: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// The limits of unwritten purchases and of the bytes of their rows. The lines of a window state some 140,000
    /// purchases of 70 bytes each, but one hostile line can state 20,000.
    private static let capacity = 200_000
    private static let byteCapacity = 16 << 20

    init(columnCount: Int) {
        rows = RowBuffer(columnCount: columnCount)
    }

    var isFull: Bool { entries.count >= Self.capacity || rows.size >= Self.byteCapacity }

    /// Begins a receipt that states at least one purchase. States that are merged until the next call belong to this
    /// receipt.
    mutating func begin(_ source: SHA256Digest) {
        sources.append(source)
    }

    /// Prefetches the slot at which ``merge(_:asOf:)`` will look first. A window's table exceeds the processor's cache,
    /// so merging would otherwise wait for memory each time.
    func expect(_ transaction: TransactionIdentifier, of app: Int64) {
        let slot = firstSlot(of: transaction, app)
        slots.withUnsafeBufferPointer { slots in receiptmill_prefetch(slots.baseAddress.map { $0 + slot }) }
    }

    /// Merges the current receipt's state of a transaction as of a time, by the ``MergeRule``.
    mutating func merge(_ key: Key, asOf: Int64) -> MergeOutcome {
        if (entries.count + 1) * 2 > slots.count { grow() }
        let source = Int32(sources.count - 1)
        var slot = firstSlot(of: key.transaction, key.app)
        while case let index = Int(slots[slot]), index >= 0 {
            let entry = entries[index]
            if entry.key == key {
                if entry.lastSource == source { return .duplicate }
                entries[index].lastSource = source
                guard
                    MergeRule.overrules(
                        asOf, sources[Int(source)], over: entry.asOf, sources[Int(entry.source)])
                else { return .stale }
                entries[index].asOf = asOf
                entries[index].source = source
                rows.rewrite(index)
                return .latest
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(entries.count)
        entries.append(Entry(key: key, asOf: asOf, source: source, lastSource: source))
        rows.begin()
        return .latest
    }

    /// Indices of the rows, sorted by their keys.
    func order() -> [Int32] {
        var order = entries.indices.map { index in
            (code: entries[index].key.transaction.code, app: entries[index].key.app, index: Int32(index))
        }
        order.sort { $0.code != $1.code ? $0.code < $1.code : $0.app < $1.app }
        return order.map(\.index)
    }

    mutating func removeAll() {
        guard !sources.isEmpty else { return }
        entries.removeAll(keepingCapacity: true)
        sources.removeAll(keepingCapacity: true)
        rows.removeAll()
        for slot in slots.indices { slots[slot] = -1 }
        texts = TextTable()
    }

    private func firstSlot(of transaction: TransactionIdentifier, _ app: Int64) -> Int {
        // Both halves of the product are combined, since only together they depend on all bits of the factors.
        let transaction = (UInt64(bitPattern: transaction.code) ^ seed).multipliedFullWidth(by: Self.multiplier)
        let mixed = transaction.high ^ transaction.low ^ UInt64(bitPattern: app)
        let whole = mixed.multipliedFullWidth(by: seed)
        return Int(truncatingIfNeeded: whole.high ^ whole.low >> 32) & (slots.count - 1)
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (index, entry) in entries.enumerated() {
            var slot = firstSlot(of: entry.key.transaction, entry.key.app)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(index)
        }
    }
}
