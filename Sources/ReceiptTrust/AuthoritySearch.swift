/// A search among an app receipt's certificates for authorities that lead to an anchor. Transaction receipts contain no
/// issuers, so their chains may need authorities from app receipts.
///
/// ``IssuerSearch`` validates whole chains once there is a signer. The rules of this search only limit the number of
/// certificates that are kept: only the holder of an authority's key can add a certificate below it.
struct AuthoritySearch {
    let anchors: TrustAnchors

    /// The authorities among `carried` that lead to an anchor.
    ///
    /// - Parameter known: other certificates that are anchors or lead to one.
    func authorities(among carried: [Certificate], below known: [Certificate]) -> [Certificate] {
        let (own, others) = carried.filter(ChainRules.mayIssue).divided {
            anchors.fingerprints.contains($0.fingerprint)
        }
        var found = own
        var waiting = others
        var issuers = known.filter(ChainRules.mayIssue) + own
        var budget = VerificationBudget()
        while let issuer = issuers.popLast(), !waiting.isEmpty {
            let (below, rest) = waiting.divided { candidate in
                candidate.names(issuer) && budget.finds(candidate, signedBy: issuer)
            }
            found += below
            issuers += below
            waiting = rest
        }
        return found
    }
}

extension [Certificate] {
    /// The certificates for which a condition holds, and the others, each in order.
    fileprivate func divided(by holds: (Certificate) -> Bool) -> (holding: [Certificate], others: [Certificate]) {
        var parts: (holding: [Certificate], others: [Certificate]) = ([], [])
        for certificate in self {
            if holds(certificate) { parts.holding.append(certificate) } else { parts.others.append(certificate) }
        }
        return parts
    }
}
