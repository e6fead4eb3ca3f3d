internal import ReceiptFormat
internal import ReceiptTrust

/// What one receipt says of one transaction, ready to become a row.
///
/// Holds no references, so that merging and moving it counts none.
struct ToldPurchase {
    /// What makes a purchase: the app in its environment, and the transaction.
    /// Claims of receipts that are not trusted are kept apart by verdict and by
    /// the kind of receipt, because only those of one kind may be withdrawn.
    struct Key: Hashable, Comparable {
        let app: Int64
        let transaction: TransactionIdentifier
        let verdict: Verdict
        let kind: ReceiptKind

        static func < (left: Self, right: Self) -> Bool {
            if left.app != right.app { return left.app < right.app }
            return left.transaction.code < right.transaction.code
        }
    }

    let key: Key
    let originalTransaction: TransactionIdentifier?
    let product: Int64?
    let quantity: Int64?
    let productType: Int64?
    let purchaseDate: Int64?
    let originalPurchaseDate: Int64?
    let expiresDate: Int64?
    let cancellationDate: Int64?
    let webOrderLineItemID: Int64?
    let isTrialPeriod: Int64?
    let isInIntroOfferPeriod: Int64?
    /// Place in the window's ``TextTable``.
    let promotionalOffer: Int?
    /// When the receipt that says so was created; 0 where it states no date.
    let toldAt: Int64
    let receipt: SHA256Digest
    let receiptNumber: Int64

    /// The merge rule: the receipt created last wins; ties go to the greater
    /// SHA-256.
    func overrules(_ other: ToldPurchase) -> Bool {
        toldAt != other.toldAt ? toldAt > other.toldAt : receipt > other.receipt
    }
}

/// Purchases told of since the last commit, merged, so that each transaction is
/// written once and in the order of its key.
struct PurchaseWindow {
    private var purchases: [ToldPurchase] = []
    /// Places in `purchases`, by hash and linear probing; -1 is free.
    private var slots = [Int32](repeating: -1, count: 1 << 12)
    /// Makes hashes differ from run to run, so that nobody can choose
    /// transaction identifiers that meet in one slot.
    private let seed = UInt64.random(in: .min ... .max) | 1
    /// Texts that the window's purchases refer to.
    var texts = TextTable()

    /// Purchases that wait at most before they are written: a window's lines tell
    /// of some 50,000, but one hostile line can tell of 20,000.
    private static let capacity = 100_000
    var isFull: Bool { purchases.count >= Self.capacity }

    mutating func merge(_ purchase: ToldPurchase) {
        if (purchases.count + 1) * 2 > slots.count { grow() }
        var slot = firstSlot(of: purchase.key)
        while case let place = Int(slots[slot]), place >= 0 {
            if purchases[place].key == purchase.key {
                if purchase.overrules(purchases[place]) { purchases[place] = purchase }
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(purchases.count)
        purchases.append(purchase)
    }

    /// Hands out the purchases in the order of their keys, and empties the window.
    mutating func drain(_ write: (ToldPurchase, TextTable) throws(MillError) -> Void) throws(MillError) {
        // Keys and places are sorted, not the purchases, which are ten times as large.
        let order = purchases.indices.map { (key: purchases[$0].key, place: $0) }.sorted { $0.key < $1.key }
        for (_, place) in order { try write(purchases[place], texts) }
        purchases.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = -1 }
        texts = TextTable()
    }

    private func firstSlot(of key: ToldPurchase.Key) -> Int {
        let mixed = (UInt64(bitPattern: key.transaction.code) ^ UInt64(bitPattern: key.app) << 48) &* seed
        // The high bits of a product depend on all bits of its factors.
        return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) &* seed >> 32) & (slots.count - 1)
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (place, purchase) in purchases.enumerated() {
            var slot = firstSlot(of: purchase.key)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(place)
        }
    }
}
