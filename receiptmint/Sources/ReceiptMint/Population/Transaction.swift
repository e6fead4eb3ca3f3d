/// One in-app transaction, as the store knows it.
struct Transaction: Sendable, Changeable {
    var id: Int64
    var originalID: Int64
    var product: Product
    var quantity: Int64 = 1
    var purchasedAt: CalendarTime
    var originallyPurchasedAt: CalendarTime
    var expiresAt: CalendarTime?
    /// When the store refunded it, or replaced it by an upgrade.
    var canceledAt: CalendarTime?
    var webOrderLineItemID: Int64 = 0
    var isTrial = false
    /// Of subscriptions only, and in receipts since 2018.
    var isIntroductory = false
    var promotionalOfferID: String?
    /// A consumable that the app has finished: the store drops it from later receipts.
    var isFinished = false
}
