/// A search for chains from a signer to an anchor, through certificates in the receipt or from elsewhere.
///
/// An issuer may have several certificates with the same name and key but different dates; the developer-relations
/// intermediate was renewed in this way. So every path is validated, and the receipt's date decides among them.
struct IssuerSearch {
    /// The results of all paths from one signer.
    struct IssuerPaths {
        /// For each path that obeys all rules, the time in which all of its certificates are valid, in milliseconds
        /// since 1970.
        var validities: [ClosedRange<Int64>] = []
        /// All certificates above the signer on paths that obey all rules.
        var issuers: [Certificate] = []
        /// The reason for refusing the signer; nil if a path obeys all rules.
        var refusal: (verdict: Verdict, detail: String)?
    }

    let anchors: DecodedAnchors
    /// The certificates that may be issuers, in the order in which they are tried.
    let candidates: [Certificate]
    let purpose: SigningPurpose
    /// The advice that follows the message of a missing issuer.
    var hintForMissingIssuer = ""

    func outcome(for signer: Certificate) -> IssuerPaths {
        var outcome = IssuerPaths()
        var budget = VerificationBudget()
        extend([signer], &outcome, &budget)
        return outcome
    }

    private func extend(_ chain: [Certificate], _ outcome: inout IssuerPaths, _ budget: inout VerificationBudget) {
        guard let top = chain.last else { return }
        if anchors.holds(top, for: purpose) {
            validate(chain, isReissued: false, &outcome)
        } else if top.isSelfIssued {
            end(at: top, chain, &outcome, &budget)
        } else if chain.count >= CertificateChain.maximumLength {
            outcome.refuse((.brokenChain, "more than \(CertificateChain.maximumLength) certificates in the chain"))
        } else {
            climb(from: top, chain, &outcome, &budget)
        }
    }

    private func climb(
        from top: Certificate, _ chain: [Certificate], _ outcome: inout IssuerPaths, _ budget: inout VerificationBudget
    ) {
        let named = candidates.filter { top.names($0) }
        var isSigned = false
        for issuer in named where budget.finds(top, signedBy: issuer) {
            isSigned = true
            extend(chain + [issuer], &outcome, &budget)
        }
        guard !isSigned else { return }
        let fault =
            named.isEmpty
            ? "is missing: \(top.issuer)\(hintForMissingIssuer)"
            : "did not sign it: \(top.issuer)"
        outcome.refuse((.brokenChain, "the issuer of \(top.subject) \(fault)"))
    }

    /// Ends a chain at a root that is not itself an anchor. A chain that is only a signer is trusted only if that very
    /// certificate is an anchor, because pinning a signer means trusting that certificate.
    private func end(
        at root: Certificate, _ chain: [Certificate], _ outcome: inout IssuerPaths, _ budget: inout VerificationBudget
    ) {
        guard budget.finds(root, signedBy: root) else {
            let name = "\(root.subject), sha256:\(root.fingerprint.hex)"
            return outcome.refuse((.brokenChain, "the root does not bear its own signature: \(name)"))
        }
        guard chain.count > 1, anchors.namesRoot(root, for: purpose) else {
            return outcome.refuse((.untrustedRoot, AppleRoot.refusal(of: root)))
        }
        validate(chain, isReissued: true, &outcome)
    }

    private func validate(_ chain: [Certificate], isReissued: Bool, _ outcome: inout IssuerPaths) {
        let isMarked = chain.last.map { !anchors.waivesMarkers(below: $0) } ?? true
        let broken = ChainRules.brokenRule(of: chain, for: purpose, isMarked: isMarked, isReissued: isReissued)
        if let broken {
            outcome.refuse(broken)
        } else if let validity = CertificateChain.commonValidity(of: chain) {
            outcome.validities.append(validity)
            outcome.issuers.append(contentsOf: chain.dropFirst())
        } else {
            outcome.refuse((.notValidAtCreation, "the chain's certificates were never valid together"))
        }
    }
}

extension IssuerSearch.IssuerPaths {
    /// Keeps the refusal of the path that passed the most checks; of equal ones, the first.
    fileprivate mutating func refuse(_ other: (verdict: Verdict, detail: String)) {
        guard let own = refusal else {
            refusal = other
            return
        }
        if Self.reach(other.verdict) > Self.reach(own.verdict) { refusal = other }
    }

    private static func reach(_ verdict: Verdict) -> Int {
        switch verdict {
        case .trusted, .notValidAtCreation: 4
        case .unsupportedAlgorithm: 3
        case .wrongPurpose: 2
        case .untrustedRoot: 1
        case .brokenChain, .badSignature: 0
        }
    }
}
