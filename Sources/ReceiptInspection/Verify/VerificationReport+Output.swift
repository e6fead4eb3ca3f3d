internal import MillJSON
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

extension VerificationReport {
    /// Writes the three steps of verification.
    func write(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        report.member("accepted", isAccepted)
        if let document {
            report.member("kind", document.kind.rawValue)
            report.member("receipt_sha256", document.digest.hex)
            report.member("bytes", document.bytes)
            report.text("receipt", "\(document.kind.rawValue), \(document.bytes) bytes, sha256 \(document.digest.hex)")
        }
        if let unreadable { return report.field("rejection", as: "unreadable", unreadable) }
        report.member("verdict", verdict?.rawValue)
        if signed != nil { report.member("detail", verification?.detail) }
        if let purchaseFault { report.field("rejection", as: "rejected", purchaseFault) }
        report.member("app_check", appCheck?.rawValue)
        report.member("device_check", deviceCheck?.rawValue)

        let steps: [(key: String, isPassed: Bool, reasons: [String])] = [
            ("signature_and_chain", isSignatureAccepted, signatureReasons),
            ("app_and_device", isAppAccepted, appReasons),
            (signed == nil ? "purchases" : "content", arePurchasesAccepted, contentReasons),
        ]
        let title = { (index: Int) in
            "\(index + 1) \(steps[index].key.replacing("_", with: " ")): " + (steps[index].isPassed ? "ok" : "FAILED")
        }
        report.list("steps", Array(steps.enumerated()), title: title) { report, step in
            report.member("step", step.element.key)
            report.member("passed", step.element.isPassed)
            report.values("reasons", as: "because", step.element.reasons)
            switch step.offset {
            case 0: writeSignature(to: &report)
            case 1: writeApp(to: &report)
            default: writeContent(to: &report, bytes)
            }
        }
    }

    private func writeSignature(to report: inout ReportWriter) {
        report.text("verdict", verdict?.rawValue)
        report.field("digest_algorithm", as: "digest", verification?.digestAlgorithm)
        report.field("signer", verification?.signer)
        report.field("certificates_checked_at", as: "checked at", certificatesCheckedAt?.date)
        if signed != nil { verification?.writeRules(to: &report) }
    }

    private func writeApp(to report: inout ReportWriter) {
        func shown(_ isAsked: Bool) -> (String) -> String { { $0 + (isAsked ? "" : " (not asked)") } }
        report.member("environment", environment)
        if document?.kind == .transactionReceipt {
            report.member("stated_environment", statedEnvironment)
            report.member("is_environment_contradicted", isEnvironmentContradicted)
        }
        report.member("bundle_id", bundle.stated)
        report.text("bundle", shown(bundle.expected != nil)(bundle.stated?.string ?? "none"))
        report.member("app_version", version.stated)
        report.text("version", shown(version.expected != nil)(version.stated?.string ?? "none"))
        report.text("environment", shown(expectation.environment != nil)(environment?.string ?? "none"))
        report.text("unsigned", environmentContradiction)
        report.field("expiration_date", as: "expires", app?.expirationDate?.date)
        report.member("expiration_judged_at", time.date)
        report.member("environment_check", environmentCheck.rawValue)
        report.member("is_device_asked", isDeviceAsked)
        report.text("device", deviceCheck.map { shown(isDeviceAsked)($0.rawValue) })
    }

    /// Writes the purchases and, for signed data, its main fields and parts.
    private func writeContent(to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        let isCounted = signed == nil ? purchaseFault == nil : !purchases.isEmpty
        report.text(isSignatureAccepted ? "purchases" : "claimed", isCounted ? String(purchases.count) : nil)
        report.list("purchases", purchases) { write($1, to: &$0, bytes) }
        guard let signed else { return }
        signed.write(to: &report, bytes)
        signed.unknownMembers.write(to: &report)
        let title = { (index: Int) in
            "\(held[index].part.rawValue): \(held[index].report.isAccepted ? "accepted" : "REFUSED")"
        }
        report.list("holds", held, title: title) { report, held in
            report.member("part", held.part.rawValue)
            held.report.write(to: &report, bytes)
        }
    }

    private func write(_ purchase: InAppPurchase, to report: inout ReportWriter, _ bytes: Span<UInt8>) {
        let state = purchase.state(at: time)
        let product = bytes.text(purchase.productIdentifier)
        report.member("transaction_id", bytes.text(purchase.transactionIdentifier))
        report.member("original_transaction_id", bytes.text(purchase.originalTransactionIdentifier))
        report.member("product_id", product)
        report.member("quantity", purchase.quantity)
        report.member("purchase_date", purchase.purchaseDate?.date)
        report.member("expires_date", purchase.expiresDate?.date)
        report.member("cancellation_date", purchase.cancellationDate?.date)
        report.member("state", state.rawValue)
        guard report.isText else { return }
        let date = purchase.purchaseDate?.date ?? "no date"
        let end = (state == .canceled ? purchase.cancellationDate : purchase.expiresDate)?.date ?? ""
        let ending = state == .owned ? "" : "  \(state.rawValue) \(state == .active ? "until " : "")\(end)"
        let transaction = bytes.text(purchase.transactionIdentifier)
        report.line("\(transaction)  \(date)  \(product ?? "no product")\(ending)", indent: 1)
    }
}

extension Unreadable: FieldValue {
    var shown: String { "\(reason.rawValue): \(detail)" }

    func write(to json: inout JSONWriter) {
        json.open()
        json.member("reason", reason.rawValue)
        json.member("detail", detail)
        json.close()
    }
}
