internal import MillSystem
internal import ReceiptTrust

extension Verification {
    /// Writes the rules of signed data in order. The first broken rule decides; later ones are shown as not reached.
    func writeRules(to report: inout ReportWriter) {
        report.list("rules", SignedDataRule.allCases) { report, rule in
            let isFailed = rule == brokenRule
            let isPassed = brokenRule.map { rule.rawValue < $0.rawValue } ?? true
            let standing = isFailed ? "failed" : isPassed ? "ok" : "not_reached"
            let fault = isFailed ? detail ?? verdict.rawValue : nil
            let word = isFailed ? "FAILED" : standing.replacing("_", with: " ")
            report.member("rule", rule.rawValue)
            report.member("name", rule.description.name)
            report.member("standing", standing)
            report.member("detail", fault)
            report.text(
                "rule \(rule.rawValue)", TerminalText.padded(word, to: 13) + (fault ?? rule.description.demand))
        }
    }
}

extension SignedDataRule {
    /// The rule's name in machine-readable output, and what it requires, in plain words.
    fileprivate var description: (name: String, demand: String) {
        switch self {
        case .algorithm: ("algorithm", "the header names ES256 and demands no extensions")
        case .certificates: ("certificates", "the header holds 1 to 8 certificates (x5c), all readable")
        case .signerKey: ("signer_key", "the first certificate's key is P-256")
        case .signature: ("signature", "the signature is that key's, over header and payload")
        case .pinnedSigner: ("pinned_signer", "a certificate that stands alone is an anchor")
        case .order: ("chain_order", "each certificate is signed by the next, and names it as issuer")
        case .anchor: ("anchor", "the last certificate is an anchor, itself or by name and key")
        case .purpose: ("purpose", "constraints and markers are those of the store's chains")
        case .strength: ("strength", "keys and signatures of the chain are strong enough")
        case .dates: ("dates", "every certificate was valid at the signing date")
        }
    }
}
