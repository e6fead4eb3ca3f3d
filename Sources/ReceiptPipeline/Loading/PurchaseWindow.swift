internal import ReceiptTrust

/// What one receipt says of one transaction, ready to become a row.
struct ToldPurchase {
    /// What makes a purchase: the app in its environment, and the transaction.
    /// Claims of receipts that are not trusted are kept apart by verdict.
    struct Key: Hashable, Comparable {
        let app: Int64
        let transaction: TransactionIdentifier
        let verdict: Verdict

        static func < (left: Self, right: Self) -> Bool {
            if left.app != right.app { return left.app < right.app }
            if left.transaction != right.transaction { return left.transaction < right.transaction }
            return left.verdict.rawValue < right.verdict.rawValue
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
    let promotionalOffer: [UInt8]?
    /// Creation date of the receipt that says so; 0 where it states none.
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
    private var places: [ToldPurchase.Key: Int] = [:]
    private var purchases: [ToldPurchase] = []

    var count: Int { purchases.count }

    mutating func merge(_ purchase: ToldPurchase) {
        if let place = places[purchase.key] {
            if purchase.overrules(purchases[place]) { purchases[place] = purchase }
        } else {
            places[purchase.key] = purchases.count
            purchases.append(purchase)
        }
    }

    /// Empties the window; the purchases come in the order of their keys.
    mutating func drain() -> [ToldPurchase] {
        let drained = purchases.sorted { $0.key < $1.key }
        places.removeAll(keepingCapacity: true)
        purchases.removeAll(keepingCapacity: true)
        return drained
    }
}
