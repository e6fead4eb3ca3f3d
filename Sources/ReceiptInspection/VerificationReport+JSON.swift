package import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification

extension VerificationReport {
    /// Writes the report's members; the caller has begun the object.
    func write(to json: inout JSONWriter, expecting expectation: ReceiptExpectation, _ octets: Span<UInt8>) {
        json.member("accepted", isAccepted)
        json.member("kind", kind.rawValue)
        json.key("receipt_sha256")
        json.string { json in digest.withBytes { json.appendHex($0) } }
        json.member("bytes", receipt.count)
        if let unreadable {
            unreadable.write(to: &json)
            return
        }
        json.member("verdict", verdict?.rawValue)
        purchaseFault?.write(to: &json)
        json.member("app_check", appCheck?.rawValue)
        json.member("device_check", deviceCheck?.rawValue)
        json.openArray("steps")
        writeSignature(to: &json)
        writeApp(to: &json, expectation, octets)
        writePurchases(to: &json, octets)
        json.closeArray()
    }

    private func writeSignature(to json: inout JSONWriter) {
        json.open()
        json.member("step", "signature_and_chain")
        json.member("passed", isSignatureAccepted)
        json.reasons(signatureReasons)
        json.member("digest_algorithm", verification?.digestAlgorithm)
        json.member("signer", verification?.signer)
        json.isoDate("certificates_judged_at", certificatesJudgedAt)
        json.close()
    }

    private func writeApp(to json: inout JSONWriter, _ expectation: ReceiptExpectation, _ octets: Span<UInt8>) {
        json.open()
        json.member("step", "app_and_device")
        json.member("passed", isAppAccepted)
        json.reasons(appReasons(expectation, octets))
        json.nullable("environment", app?.environment, octets)
        if kind == .transactionReceipt {
            json.nullable("stated_environment", statedEnvironment, octets)
            json.member("is_environment_contradicted", isEnvironmentContradicted)
        }
        json.nullable("bundle_id", app?.bundleIdentifier, octets)
        json.nullable("app_version", app?.appVersion, octets)
        json.isoDate("expiration_date", app?.expirationDate)
        json.isoDate("expiration_judged_at", time)
        json.member("environment_check", environmentCheck.rawValue)
        json.member("is_device_asked", isDeviceAsked)
        json.close()
    }

    private func writePurchases(to json: inout JSONWriter, _ octets: Span<UInt8>) {
        json.open()
        json.member("step", "purchases")
        json.member("passed", arePurchasesAccepted)
        json.reasons(purchaseReasons)
        json.openArray("purchases")
        for purchase in purchases {
            json.open()
            json.nullable("transaction_id", purchase.transactionIdentifier, octets)
            json.nullable("original_transaction_id", purchase.originalTransactionIdentifier, octets)
            json.nullable("product_id", purchase.productIdentifier, octets)
            json.member("quantity", purchase.quantity)
            json.isoDate("purchase_date", purchase.purchaseDate)
            json.isoDate("expires_date", purchase.expiresDate)
            json.isoDate("cancellation_date", purchase.cancellationDate)
            json.member("state", purchase.state(at: time).rawValue)
            json.close()
        }
        json.closeArray()
        json.close()
    }
}

extension Unreadable {
    /// Writes why a receipt can't be read, as a member.
    package func write(to json: inout JSONWriter) {
        json.open("rejection")
        json.member("reason", reason.rawValue)
        json.member("detail", detail)
        json.close()
    }
}

extension InAppPurchase {
    /// What a purchase is worth at some time, by what the receipt knew when it
    /// was signed: a renewal or a refund since then is not in it.
    package enum State: String {
        /// No end is stated.
        case owned
        case active
        case expired
        case canceled
    }

    func state(at time: Int64) -> State {
        if cancellationDate != nil { return .canceled }
        guard let expiresDate else { return .owned }
        return expiresDate <= time ? .expired : .active
    }
}

extension JSONWriter {
    mutating func reasons(_ reasons: [String]) {
        openArray("reasons")
        for reason in reasons { value(reason) }
        closeArray()
    }

    mutating func nullable(_ name: StaticString, _ range: ByteRange?, _ octets: Span<UInt8>) {
        if range == nil { member(name, nil as String?) } else { text(name, range, octets) }
    }

    mutating func isoDate(_ name: StaticString, _ milliseconds: Int64?) {
        member(name, milliseconds.map(CivilTime.iso8601))
    }
}
