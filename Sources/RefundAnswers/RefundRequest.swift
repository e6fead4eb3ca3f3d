internal import GRDB
internal import MillBytes
internal import MillConfiguration

/// The proved holder of a purchase: proved by the device that a document was made for, or by an app transaction.
enum Holder: Hashable {
    case unknown, severalAccounts
    case account(DocumentText)
}

/// A refund request that is open, with what the database knows of transaction and customer.
struct RefundRequest {
    let purchase: Int64
    let notification: String?
    let environment, app, transaction, original: String
    let product, reason: String?
    /// Milliseconds since 1970, as all times here.
    let requestedAt: Int64
    let productType: Int64?
    let purchasedAt, expiresAt: Int64?
    let priceMilliunits: Int64?
    let currency: String?
    let digits: Int
    /// The account that names the customer in the models, which may be a stranger's; nil if the models name the
    /// customer otherwise.
    let customerAccount: DocumentText?
    let accountToken, appTransaction: DocumentText?
    /// Whether the transaction is a member's share, or one of the Advanced Commerce API: the store takes no answer about
    /// either at this endpoint.
    let isShared, isCommerce: Bool
    let answeredAt: Int64?
    /// 1 if the purchase itself is one of its customer's refunds.
    private let ownRefunds: Int
    var holder = Holder.unknown
    var customer = CustomerEvidence()

    /// - Returns: nil for a request that names no transaction which is trusted.
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

    /// Subtracts the purchase itself from its customer's refunds.
    mutating func excludeItself() { customer.refunds = max(0, customer.refunds - ownRefunds) }

    /// The product's kind, of types as the view purchases has them. A type that receipts leave out is that of a
    /// subscription where a period is stated.
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

    /// The share of a subscription's period that was over when the customer asked; nil without a period.
    var usedShare: Double? {
        guard kind == .subscription, let purchasedAt, let expiresAt, expiresAt > purchasedAt else { return nil }
        return min(1, max(0, Double(requestedAt - purchasedAt) / Double(expiresAt - purchasedAt)))
    }

    /// Days from the purchase to the request; none are negative, because a renewal may be charged before its period.
    var daysSincePurchase: Double? {
        purchasedAt.map { max(0, Double(requestedAt - $0) / Double(Self.day)) }
    }

    static let day: Int64 = 86_400_000
}

/// What a customer bought and gave back, and the signals of fraud that the customer's documents show.
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
    /// Former refunds, without one of the purchase that the request is about.
    var refunds = 0
    var firstAt: Int64?
    /// The gravest come first.
    var signals: [Signal] = []

    var purchases: Int { money.reduce(0) { $0 + $1.purchases } }
    var refundShare: Double? { purchases == 0 ? nil : Double(refunds) / Double(purchases) }
    /// The severity of the gravest signal; a severity that is not known counts as high.
    var grade: SignalGrade { signals.first.map { SignalGrade(rawValue: $0.severity) ?? .high } ?? .none }
}
