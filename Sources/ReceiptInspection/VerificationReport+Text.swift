internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

extension VerificationReport {
    /// The three steps for people to read.
    ///
    /// - Parameter place: the file, and the line where there is one.
    func text(of place: String, expecting expectation: ReceiptExpectation, _ octets: Span<UInt8>) -> String {
        var sheet = TextSheet()
        sheet.line(0, "\(place): \(isAccepted ? "accepted" : "REFUSED")")
        sheet.field(1, "receipt", "\(kind.rawValue), \(receipt.count) bytes, sha256 \(digest.hex)")
        if let unreadable {
            sheet.field(1, "unreadable", "\(unreadable.reason.rawValue): \(unreadable.detail)")
            return sheet.text
        }
        sheet.field(1, "rejected", purchaseFault.map { "\($0.reason.rawValue): \($0.detail)" })
        let outcome = { (passed: Bool) in passed ? "ok" : "FAILED" }
        sheet.line(1, "1 signature and chain: \(outcome(isSignatureAccepted))")
        for reason in signatureReasons { sheet.field(2, "because", reason) }
        sheet.field(2, "verdict", verdict?.rawValue)
        sheet.field(2, "digest", verification?.digestAlgorithm)
        sheet.field(2, "signer", verification?.signer)
        sheet.field(2, "judged at", certificatesJudgedAt.map { CivilTime.iso8601(milliseconds: $0) })

        sheet.line(1, "2 app and device: \(outcome(isAppAccepted))")
        for reason in appReasons(expectation, octets) { sheet.field(2, "because", reason) }
        func asked(_ stated: ByteRange?, _ isAsked: Bool) -> String {
            (stated.map { octets.text($0) } ?? "none") + (isAsked ? "" : " (not asked)")
        }
        sheet.field(2, "bundle", asked(app?.bundleIdentifier, expectation.bundleID != nil))
        sheet.field(2, "version", asked(app?.appVersion, expectation.version != nil))
        sheet.field(2, "environment", asked(app?.environment, expectation.environment != nil))
        sheet.field(2, "unsigned", environmentContradiction(octets))
        sheet.field(2, "expires", app?.expirationDate.map { CivilTime.iso8601(milliseconds: $0) })
        sheet.field(2, "device", deviceCheck.map { $0.rawValue + (isDeviceAsked ? "" : " (not asked)") })

        sheet.line(1, "3 purchases: \(outcome(arePurchasesAccepted))")
        for reason in purchaseReasons { sheet.field(2, "because", reason) }
        if purchaseFault == nil { writePurchases(to: &sheet, octets) }
        return sheet.text
    }

    private func writePurchases(to sheet: inout TextSheet, _ octets: Span<UInt8>) {
        sheet.field(2, isSignatureAccepted ? "purchases" : "claimed", String(purchases.count))
        for purchase in purchases {
            let product = purchase.productIdentifier.map { octets.text($0) } ?? "no product"
            let date = purchase.purchaseDate.map(CivilTime.iso8601) ?? "no date"
            var line = "\(octets.text(purchase.transactionIdentifier))  \(date)  \(product)"
            switch purchase.state(at: time) {
            case .owned: break
            case .active: line += "  active until \(purchase.expiresDate.map(CivilTime.iso8601) ?? "")"
            case .expired: line += "  expired \(purchase.expiresDate.map(CivilTime.iso8601) ?? "")"
            case .canceled: line += "  canceled \(purchase.cancellationDate.map(CivilTime.iso8601) ?? "")"
            }
            sheet.line(3, line)
        }
    }
}
