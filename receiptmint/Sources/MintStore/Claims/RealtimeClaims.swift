package import MintSigning

/// What the store signs when a customer is about to cancel, to ask which message to
/// show (Retention Messaging API, DecodedRealtimeRequestBody). It names no bundle.
package struct RealtimeClaims: Sendable {
    package let customer: StoreCustomer
    package let originalID: Int64
    package let product: Product
    package let locale: String
    package let requestID: String
    package let signedAt: CalendarTime

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
