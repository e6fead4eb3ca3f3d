internal import MillJSON
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

extension VerificationReport {
    /// Writes the three steps.
    func write(to report: inout ReportWriter, expecting expectation: ReceiptExpectation, _ bytes: Span<UInt8>) {
        report.member("accepted", isAccepted)
        report.member("kind", kind.rawValue)
        report.member("receipt_sha256", digest.hex)
        report.member("bytes", receipt.count)
        report.text("receipt", "\(kind.rawValue), \(receipt.count) bytes, sha256 \(digest.hex)")
        if let unreadable { return unreadable.write(to: &report, as: "unreadable") }
        report.member("verdict", verdict?.rawValue)
        if signed != nil { report.member("detail", verification?.detail) }
        purchaseFault?.write(to: &report, as: "rejected")
        report.member("app_check", appCheck?.rawValue)
        report.member("device_check", deviceCheck?.rawValue)
        report.inJSON { $0.openArray("steps") }
        report.step(1, "signature_and_chain", isSignatureAccepted, signatureReasons) { report in
            report.text("verdict", verdict?.rawValue)
            report.field("digest_algorithm", as: "digest", verification?.digestAlgorithm)
            report.field("signer", verification?.signer)
            report.field("certificates_checked_at", as: "checked at", date: certificatesCheckedAt)
            if signed != nil { verification?.writeRules(to: &report) }
        }
        report.step(2, "app_and_device", isAppAccepted, appReasons(expectation, bytes)) { report in
            writeApp(to: &report, expectation, bytes)
        }
        if let signed {
            report.step(3, "content", arePurchasesAccepted, heldReasons) { report in
                write(signed, to: &report, expecting: expectation, bytes)
            }
            return report.inJSON { $0.closeArray() }
        }
        report.step(3, "purchases", arePurchasesAccepted, purchaseReasons) { report in
            let count = purchaseFault == nil ? String(purchases.count) : nil
            report.text(isSignatureAccepted ? "purchases" : "claimed", count)
            report.list("purchases", purchases) { write($1, to: &$0, bytes) }
        }
        report.inJSON { $0.closeArray() }
    }

    /// Writes what signed data states, and what it holds.
    private func write(
        _ signed: SignedPayload, to report: inout ReportWriter, expecting expectation: ReceiptExpectation,
        _ bytes: Span<UInt8>
    ) {
        report.text(isSignatureAccepted ? "purchases" : "claimed", purchases.isEmpty ? nil : String(purchases.count))
        report.list("purchases", purchases) { write($1, to: &$0, bytes) }
        signed.write(to: &report, bytes)
        report.list("holds", held) { report, held in
            report.member("part", held.part.rawValue)
            report.line("\(held.part.rawValue): \(held.isAccepted ? "accepted" : "REFUSED")")
            report.indented { report in
                switch held.outcome {
                case .success(let found): found.write(to: &report, expecting: expectation, bytes)
                case .failure(let fault):
                    report.member("accepted", false)
                    fault.write(to: &report, as: "unreadable")
                }
            }
        }
    }

    private func writeApp(
        to report: inout ReportWriter, _ expectation: ReceiptExpectation, _ bytes: Span<UInt8>
    ) {
        report.member("environment", app?.environment, bytes)
        if kind == .transactionReceipt {
            report.member("stated_environment", statedEnvironment, bytes)
            report.member("is_environment_contradicted", isEnvironmentContradicted)
        }
        report.member("bundle_id", app?.bundleIdentifier, bytes)
        report.member("app_version", app?.appVersion, bytes)
        for (label, stated, isAsked) in [
            ("bundle", app?.bundleIdentifier, expectation.bundleID != nil),
            ("version", app?.appVersion, expectation.version != nil),
            ("environment", app?.environment, expectation.environment != nil),
        ] where report.isText {
            report.text(label, "\(stated.map { bytes.text($0) } ?? "none")" + (isAsked ? "" : " (not asked)"))
        }
        report.text("unsigned", environmentContradiction(bytes))
        report.field("expiration_date", as: "expires", date: app?.expirationDate)
        report.date("expiration_judged_at", time)
        report.member("environment_check", environmentCheck.rawValue)
        report.member("is_device_asked", isDeviceAsked)
        report.text("device", deviceCheck.map { $0.rawValue + (isDeviceAsked ? "" : " (not asked)") })
    }

    private func write(_ purchase: InAppPurchase, to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        let state = purchase.state(at: time)
        report.member("transaction_id", purchase.transactionIdentifier, bytes)
        report.member("original_transaction_id", purchase.originalTransactionIdentifier, bytes)
        report.member("product_id", purchase.productIdentifier, bytes)
        report.member("quantity", purchase.quantity)
        report.date("purchase_date", purchase.purchaseDate)
        report.date("expires_date", purchase.expiresDate)
        report.date("cancellation_date", purchase.cancellationDate)
        report.member("state", state.rawValue)
        guard report.isText else { return }
        let product = purchase.productIdentifier.map { bytes.text($0) } ?? "no product"
        let date = purchase.purchaseDate.map(CivilTime.iso8601) ?? "no date"
        let end = (state == .canceled ? purchase.cancellationDate : purchase.expiresDate).map(CivilTime.iso8601) ?? ""
        let ending = state == .owned ? "" : "  \(state.rawValue) \(state == .active ? "until " : "")\(end)"
        report.line("\(bytes.text(purchase.transactionIdentifier))  \(date)  \(product)\(ending)", indent: 1)
    }
}

extension ReportWriter {
    /// One of the three steps, named by its key.
    fileprivate mutating func step(
        _ number: Int, _ key: StaticString, _ passed: Bool, _ reasons: [String], _ body: (inout ReportWriter) -> Void
    ) {
        let title = "\(number) \(key): ".replacing("_", with: " ") + (passed ? "ok" : "FAILED")
        section(nil, title) { report in
            report.member("step", "\(key)")
            report.member("passed", passed)
            report.inJSON { json in
                json.openArray("reasons")
                for reason in reasons { json.value(reason) }
                json.closeArray()
            }
            for reason in reasons { report.text("because", reason) }
            body(&report)
        }
    }
}

extension Unreadable {
    /// Writes why a receipt can't be read.
    func write(to report: inout ReportWriter, as label: String) {
        report.text(label, "\(reason.rawValue): \(detail)")
        report.section("rejection", nil) { report in
            report.member("reason", reason.rawValue)
            report.member("detail", detail)
        }
    }
}

extension InAppPurchase {
    /// The state of a purchase at some time, by what the receipt held when it was
    /// signed: a later renewal or refund is not in it.
    fileprivate enum State: String {
        /// No end is stated.
        case owned
        case active, expired, canceled
    }

    fileprivate func state(at time: Int64) -> State {
        if cancellationDate != nil { return .canceled }
        guard let expiresDate else { return .owned }
        return expiresDate <= time ? .expired : .active
    }
}
