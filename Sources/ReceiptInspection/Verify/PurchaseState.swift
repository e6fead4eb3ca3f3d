package import ReceiptFormat
package import SignedDataFormat

extension InAppPurchase {
    /// The state of a purchase at a given time, as stated by the document. The document does not contain a renewal or
    /// refund after its signing.
    enum State: String {
        /// The document states no end.
        case owned
        case active, expired, canceled
    }

    func state(at time: Int64) -> State {
        if cancellationDate != nil { return .canceled }
        guard let expiresDate else { return .owned }
        return expiresDate <= time ? .expired : .active
    }

    /// The tolerance for a server's clock that is behind Apple's, in milliseconds. It is small enough that a time
    /// stated in seconds by mistake is noticed.
    private static let clockSkew: Int64 = 86_400_000

    /// Whether the purchase was made after a given time.
    private func isToCome(at time: Int64) -> Bool {
        guard let purchaseDate, time < .max - Self.clockSkew else { return false }
        return purchaseDate > time + Self.clockSkew
    }

    /// Why a purchase does not entitle to its product at a given time, in plain words; nil if it does.
    ///
    /// - Parameter payload: the signed transaction that states the purchase; nil for a receipt's purchase.
    package func end(_ payload: SignedPayload?, at time: Int64) -> String? {
        switch state(at: time) {
        case .canceled: "canceled: the purchase was refunded or revoked at \(cancellationDate?.date ?? "")"
        case _ where isToCome(at: time):
            "not_begun: the purchase was made at \(purchaseDate?.date ?? ""), checked at \(time.date)"
        case .expired: "expired: the purchase ended at \(expiresDate?.date ?? ""), checked at \(time.date)"
        case .owned, .active:
            payload?.number("isUpgraded") == 1 ? "upgraded: another product of the subscription took its place" : nil
        }
    }
}
