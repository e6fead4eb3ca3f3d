internal import GRDB
internal import MillBytes
internal import MillConfiguration

/// The proved holder of a purchase, by the device for which a document was made, or by an app transaction.
enum Holder: Hashable {
    case unknown, severalAccounts
    case account(DocumentText)
}

/// An open refund request, with what the database contains about the transaction and the customer.
struct RefundRequest {
    let purchase: Int64
    let notification: String?
    let environment, app, transaction, original: String
    let product, reason: String?
    /// Milliseconds since 1970, as for all times in this type.
    let requestedAt: Int64
    let productType: Int64?
    let purchasedAt, expiresAt: Int64?
    let priceMilliunits: Int64?
    let currency: String?
    let digits: Int
    /// The account that identifies the customer in the models, even if it may be a stranger's; nil if the customer is
    /// identified otherwise.
    let customerAccount: DocumentText?
    let accountToken, appTransaction: DocumentText?
    /// Whether the transaction is a family member's share, or one of the Advanced Commerce API. Apple accepts no answer
    /// about either at this endpoint.
    let isShared, isCommerce: Bool
    let answeredAt: Int64?
    /// 1 if the refunds counted for the customer include this purchase, else 0.
    private let ownRefunds: Int
    var holder = Holder.unknown
    var customer = CustomerEvidence()

    /// - Returns: nil if the request names no trusted transaction.
    init?(_ row: Row) {
        guard let purchase = row["purchase_id"] as Int64? else { return nil }
        self.purchase = purchase
        (notification, environment, app) = (row["notification_uuid"], row["environment"], row["bundle_id"])
        (transaction, original) = (row["transaction_id"], row["original_transaction_id"])
        (product, reason, requestedAt) = (row["product_id"], row["reason"], row["requested_ms"])
        (productType, purchasedAt, expiresAt) = (row["product_type"], row["purchased_ms"], row["expires_ms"])
        (priceMilliunits, currency, digits) = (row["price_milliunits"], row["currency"], row["digits"])
        customerAccount = (row["customer_account"] as String?).map { DocumentText($0) }
        accountToken = (row["app_account_token"] as String?).map { DocumentText($0) }
        appTransaction = (row["app_transaction_id"] as String?).map { DocumentText($0) }
        (isShared, isCommerce, answeredAt) = (row["is_shared"], row["is_commerce"], row["answered_ms"])
        ownRefunds = row["own_refunds"]
    }

    /// Removes this purchase from the customer's refunds.
    mutating func excludeItself() { customer.refunds = max(0, customer.refunds - ownRefunds) }

    /// The product's kind, from the types in the view purchases. If the type is missing, as in receipts, a stated
    /// period means a subscription.
    var kind: ProductKind {
        switch productType {
        case 0: .nonConsumable
        case 1: .consumable
        case 2: .nonRenewing
        case 3: .subscription
        case nil where expiresAt != nil: .subscription
        default: .unknown
        }
    }

    /// The share of a subscription's period that had passed when the customer asked; nil without a period.
    var usedShare: Double? {
        guard kind == .subscription, let purchasedAt, let expiresAt, expiresAt > purchasedAt else { return nil }
        return min(1, max(0, Double(requestedAt - purchasedAt) / Double(expiresAt - purchasedAt)))
    }

    /// Days from the purchase to the request; at least 0, because a renewal may be charged before its period begins.
    var daysSincePurchase: Double? {
        purchasedAt.map { max(0, Double(requestedAt - $0) / Double(Self.day)) }
    }

    static let day: Int64 = 86_400_000
}

/// What a customer bought and had refunded, and the fraud signals of the customer's documents.
struct CustomerEvidence {
    struct Money {
        let currency: String?
        let digits: Int
        let purchases: Int
        let paid, refunded: Int64

        var net: Int64 { paid - refunded }
    }

    struct Signal {
        let name, severity: String
        let lines: Int
    }

    var money: [Money] = []
    /// Earlier refunds, not including the purchase that the request is about.
    var refunds = 0
    var firstAt: Int64?
    /// The most severe signals are first.
    var signals: [Signal] = []

    var purchases: Int { money.reduce(0) { $0 + $1.purchases } }
    var refundShare: Double? { purchases == 0 ? nil : Double(refunds) / Double(purchases) }
    /// The severity of the most severe signal; an unknown severity counts as high.
    var grade: SignalGrade { signals.first.map { SignalGrade(rawValue: $0.severity) ?? .high } ?? .none }
}
