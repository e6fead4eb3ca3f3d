/// What the store signs when a customer is about to cancel, to ask which message to
/// show (Retention Messaging API, DecodedRealtimeRequestBody). It names no bundle.
struct RealtimeClaims: Sendable {
    let customer: StoreCustomer
    let originalID: Int64
    let product: Product
    let locale: String
    let requestID: String
    let signedAt: CalendarTime

    var payload: JSONText {
        var json = JSONText()
        json.add("originalTransactionId", String(originalID))
        json.add("appAppleId", customer.app.itemID)
        json.add("productId", product.id)
        json.add("userLocale", locale)
        json.add("requestIdentifier", requestID)
        json.add("environment", customer.environment)
        json.add("signedDate", signedAt)
        return json
    }
}
