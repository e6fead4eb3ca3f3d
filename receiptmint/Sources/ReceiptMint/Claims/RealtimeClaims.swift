/// What the store signs when a customer is about to cancel, to ask which message to
/// show (Retention Messaging API, DecodedRealtimeRequestBody). It names no bundle.
struct RealtimeClaims: SignedClaims {
    static let kind = "realtime_request"

    let customer: StoreCustomer
    let originalID: Int64
    let product: Product
    let locale: String
    let requestID: String
    let signedAt: CalendarTime

    var environmentName: String { customer.environmentName }
    var appleID: Int64? { customer.app.itemID }

    var payload: JSONText {
        [
            "originalTransactionId": String(originalID), "appAppleId": appleID, "productId": product.id,
            "userLocale": locale, "requestIdentifier": requestID, "environment": customer.environment,
            "signedDate": signedAt,
        ]
    }
}
