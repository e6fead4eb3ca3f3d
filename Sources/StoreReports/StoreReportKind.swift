/// The reports that Apple writes for developers, by their names in the database.
package enum StoreReportKind: String, Sendable, Hashable, CaseIterable {
    case sales
    case subscription
    case subscriptionEvent = "subscription_event"
    case subscriber
    case preOrder = "pre_order"
    case offerCode = "offer_code"
    case financial
    case financeDetail = "finance_detail"
    case payments
}
