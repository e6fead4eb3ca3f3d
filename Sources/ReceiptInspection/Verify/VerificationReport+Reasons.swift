internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import ReceiptVerification
internal import SignedDataFormat

/// Why a step refuses a receipt, in plain words; nothing where it does not.
extension VerificationReport {
    var signatureReasons: [String] {
        guard let verification, verification.verdict != .trusted else { return [] }
        let verdict = verification.verdict.rawValue
        return [verification.detail.map { "\(verdict): \($0)" } ?? verdict]
    }

    func appReasons(_ expectation: ReceiptExpectation, _ bytes: Span<UInt8>) -> [String] {
        guard let app else { return [] }
        func difference(_ range: ByteRange?, _ expected: String?) -> String? {
            let stated = range.map { bytes.text($0) }
            let comparison = AppCheck.Comparison(stated: stated, expected: expected.map { DocumentText($0) })
            guard let expected, comparison.differs else { return nil }
            return "the receipt says \(stated ?? "nothing"), not \(expected)"
        }
        var reasons: [String] = []
        if let difference = difference(app.bundleIdentifier, expectation.bundleID) {
            reasons.append("unexpected_bundle: \(difference)")
        }
        if let difference = difference(app.appVersion, expectation.version) {
            reasons.append("unexpected_version: \(difference)")
        }
        if let expirationDate = app.expirationDate, expirationDate <= time {
            let ended = CivilTime.iso8601(milliseconds: expirationDate)
            let checked = CivilTime.iso8601(milliseconds: time)
            reasons.append("expired: the volume purchase ended at \(ended), checked at \(checked)")
        }
        if let reason = environmentReason(app, expectation, bytes) {
            reasons.append("unexpected_environment: \(reason)")
        }
        if !isDeviceAccepted, let deviceCheck {
            reasons.append("\(deviceCheck.rawValue): \(explanation(of: deviceCheck))")
        }
        return reasons
    }

    private func environmentReason(
        _ app: AppReceipt, _ expectation: ReceiptExpectation, _ bytes: Span<UInt8>
    ) -> String? {
        let stated = app.environment.map { bytes.text($0) }
        switch environmentCheck {
        case .match, .notAsked: return nil
        case .mismatch:
            return environmentContradiction(bytes)
                ?? "the receipt says \(stated ?? "nothing"), not \(expectation.environment?.rawValue ?? "")"
        case .unknown:
            return stated.map { "the receipt says \($0), which is no environment that is known" }
                ?? "the receipt says nothing of its environment"
        }
    }

    /// That a transaction receipt states, outside its signature, another environment
    /// than the one that it is taken for; nil where it does not.
    func environmentContradiction(_ bytes: Span<UInt8>) -> String? {
        guard isEnvironmentContradicted else { return nil }
        let stated = statedEnvironment.map { "says \(bytes.text($0))" } ?? "names no environment"
        let taken = app?.environment.map { bytes.text($0) } ?? ""
        return "the receipt \(stated), outside its signature, and is taken for one of \(taken)"
    }

    var purchaseReasons: [String] {
        purchaseFault.map { ["\($0.reason.rawValue): \($0.detail)"] } ?? []
    }

    /// Why what a notification holds is refused.
    var heldReasons: [String] {
        held.compactMap { held in
            switch held.outcome {
            case .failure(let fault): return "\(held.part.rawValue): \(fault.reason.rawValue): \(fault.detail)"
            case .success(let found) where found.isAccepted: return nil
            case .success(let found):
                let reason = found.signatureReasons.first ?? "it is of another app or environment than was asked"
                return "\(held.part.rawValue): \(reason)"
            }
        }
    }

    private func explanation(of check: DeviceCheck) -> String {
        switch check {
        case .match: "the hash is that of this device"
        case .mismatch where signed != nil: "the hash is not that of this device verification identifier and nonce"
        case .noDeviceID where signed != nil:
            "no device verification identifier was named; signed data states no other device"
        case .invalidDeviceID where signed != nil: "what was named as device verification identifier is no UUID"
        case .noHash where signed != nil: "it lacks deviceVerification or its nonce: only devices get them, not servers"
        case .noDeviceID where isDeviceAsked:
            "no device was named; a device verification identifier is for signed data"
        case .mismatch: "the hash is not that of this device, opaque value and bundle identifier"
        case .serverIssued: "the hash is that of sixteen zero bytes: the store gave this receipt to a server"
        case .noDeviceID: "no device was named"
        case .invalidDeviceID: "what was named as device is no device identifier"
        case .noHash where kind == .transactionReceipt: "a transaction receipt holds no hash of a device"
        case .noHash: "the receipt lacks its hash, or what it is computed over"
        }
    }
}
