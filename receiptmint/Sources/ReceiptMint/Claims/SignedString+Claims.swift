/// What the kinds have in common.
extension SignedString.Claims {
    /// The names are the contract's.
    var kind: String {
        switch self {
        case .transaction: "signed_transaction"
        case .renewal: "signed_renewal"
        case .app: "app_transaction"
        case .notification: "notification"
        case .realtime: "realtime_request"
        }
    }

    var signedAt: CalendarTime {
        switch self {
        case .transaction(let claims): claims.signedAt
        case .renewal(let claims): claims.signedAt
        case .app(let claims): claims.signedAt
        case .notification(let claims): claims.signedAt
        case .realtime(let claims): claims.signedAt
        }
    }

    /// What views call the environment.
    var environmentName: String {
        switch self {
        case .transaction(let claims): claims.transaction.customer.environmentName
        case .renewal(let claims): claims.customer.environmentName
        case .app(let claims): claims.customer.environmentName
        case .notification(let claims): claims.environmentName
        case .realtime(let claims): claims.customer.environmentName
        }
    }

    /// Renewal infos and realtime requests state none.
    var bundleID: String? {
        switch self {
        case .transaction(let claims): claims.transaction.customer.app.bundleID
        case .renewal, .realtime: nil
        case .app(let claims): claims.customer.app.bundleID
        case .notification(let claims): claims.app.bundleID
        }
    }

    var appleID: Int64? {
        switch self {
        case .transaction, .renewal: nil
        case .app(let claims): claims.customer.app.itemID
        case .notification(let claims): claims.appleID
        case .realtime(let claims): claims.customer.app.itemID
        }
    }

    var transactionIDs: [String] {
        if case .transaction(let claims) = self { [String(claims.transaction.id)] } else { [] }
    }

    var device: DeviceVerification? {
        switch self {
        case .transaction(let claims): claims.device
        case .app(let claims): claims.device
        case .renewal, .notification, .realtime: nil
        }
    }

    var payload: [UInt8] {
        switch self {
        case .transaction(let claims): claims.payload.encoded
        case .renewal(let claims): claims.payload.encoded
        case .app(let claims): claims.payload.encoded
        case .notification(let claims): claims.payload.encoded
        case .realtime(let claims): claims.payload.encoded
        }
    }
}
