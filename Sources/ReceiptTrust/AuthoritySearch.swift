/// Finds which of a receipt's certificates could issue others and lead to an
/// anchor: what transaction receipts, which don't carry theirs, may need.
///
/// Whether a chain over one keeps every rule is for ``IssuerSearch`` to say, when
/// there is a signer. Here it is asked only what bounds the number of those that
/// are kept: nobody but who holds the key of an authority can add one.
struct AuthoritySearch {
    let anchors: TrustAnchors

    /// Signatures that are checked for one receipt at most, beyond those of its
    /// own chain.
    static let maximumSteps = 32

    /// The authorities among `carried`.
    ///
    /// - Parameter known: others that lead to an anchor, or are one.
    func authorities(among carried: [Certificate], below known: [Certificate]) -> [Certificate] {
        let (own, others) = carried.filter(ChainRules.mayIssue).divided {
            anchors.fingerprints.contains($0.fingerprint)
        }
        var found = own
        var waiting = others
        var issuers = known.filter(ChainRules.mayIssue) + own
        var steps = 0
        while let issuer = issuers.popLast(), !waiting.isEmpty {
            let (below, rest) = waiting.divided { candidate in
                guard candidate.names(issuer), steps < Self.maximumSteps else { return false }
                steps += 1
                return candidate.isSigned(by: issuer)
            }
            found += below
            issuers += below
            waiting = rest
        }
        return found
    }
}

extension [Certificate] {
    /// Those of which a condition holds, and the others, each in order.
    fileprivate func divided(by holds: (Certificate) -> Bool) -> (holding: [Certificate], others: [Certificate]) {
        var parts: (holding: [Certificate], others: [Certificate]) = ([], [])
        for certificate in self {
            if holds(certificate) { parts.holding.append(certificate) } else { parts.others.append(certificate) }
        }
        return parts
    }
}
