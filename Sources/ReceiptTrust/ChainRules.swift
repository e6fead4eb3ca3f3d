/// The rules for chains that lead to an anchor.
///
/// Purpose is checked before strength, so that a chain which breaks rules of both kinds is refused for its purpose.
enum ChainRules {
    /// The minimum size of an RSA key in bits. Every signer and intermediate of app receipts since the Mac App Store
    /// opened in January 2011 has 2048 bits; only a sample of 2010, which lacks the markers anyway, has fewer.
    static let minimumKeyBits = 2048

    /// The first rule that a chain breaks; nil if it obeys all.
    ///
    /// - Parameters:
    ///   - chain: the certificates, the signer first, the anchor last.
    ///   - purpose: the purpose that the signer's certificate must have.
    ///   - isMarked: whether the markers are required.
    ///   - isReissued: whether the end of the chain is an anchor by its name and key instead of being the anchor's
    ///     certificate itself.
    static func brokenRule(
        of chain: [Certificate], for purpose: SigningPurpose = .appReceipts, isMarked: Bool = true,
        isReissued: Bool = false
    ) -> (verdict: Verdict, detail: String)? {
        for (height, certificate) in chain.enumerated() {
            if let detail = brokenConstraint(of: certificate, height: height, isAlone: chain.count == 1) {
                return (.wrongPurpose, detail)
            }
        }
        if isMarked, let detail = missingMarker(in: chain, for: purpose) { return (.wrongPurpose, detail) }
        for (height, certificate) in chain.enumerated() {
            let bits = height == 0 ? purpose.minimumSignerKeyBits : minimumKeyBits
            let isAnchor = height == chain.count - 1 && !isReissued
            let detail =
                purpose == .signedData
                ? signedDataWeakness(of: certificate, isAnchor: isAnchor)
                : weakness(of: certificate, minimumBits: bits, isAnchor: isAnchor)
            if let detail {
                return (.unsupportedAlgorithm, detail)
            }
        }
        return nil
    }

    /// Whether a certificate may issue at least one other.
    static func mayIssue(_ certificate: Certificate) -> Bool {
        brokenConstraint(of: certificate, height: 1, isAlone: false) == nil
    }

    /// The first constraint of RFC 5280, 6.1.4, that a certificate breaks: (k) CA flag, (l, m) path length, (n) key
    /// usage, (o) critical extensions.
    ///
    /// If a certificate has a critical extension without a rule here, the chain is refused (RFC 5280, 4.2): constraints
    /// of names and policies, which Apple does not use, are not implemented. Extensions that are not critical are
    /// ignored.
    ///
    /// - Parameter isAlone: whether the chain is only a pinned signer, whose purpose the user has decided by pinning
    ///   it; Xcode's certificate states that it is for code.
    private static func brokenConstraint(
        of certificate: Certificate, height: Int, isAlone: Bool
    ) -> String? {
        let name = certificate.subject
        if let malformation = certificate.malformation { return "\(malformation): \(name)" }
        if let critical = certificate.unprocessedCriticalExtension {
            return "a critical extension that no rule processes (\(critical)): \(name)"
        }
        if !isAlone, certificate.isForOtherPurposesAlone {
            return "extended key usage, critical, does not allow to sign receipts: \(name)"
        }
        if height == 0 {
            return certificate.maySignContent ? nil : "key usage does not allow to sign content: \(name)"
        }
        if !certificate.isCertificateAuthority { return "not a certificate authority: \(name)" }
        if !certificate.maySignCertificates { return "key usage does not allow to sign certificates: \(name)" }
        if let pathLength = certificate.pathLength, pathLength < height - 1 {
            return "\(height - 1) intermediates stand below \(name), which allows \(pathLength)"
        }
        return nil
    }

    /// The first of Apple's markers that a chain lacks. Every chain needs them, except a signing certificate that the
    /// user pins itself, such as that of Xcode's local store: pinning it decides its purpose.
    private static func missingMarker(in chain: [Certificate], for purpose: SigningPurpose) -> String? {
        guard chain.count > 1 else { return nil }
        guard chain[0].has(purpose.signerMarker) else {
            return "no \(purpose.signerMarkerName) marker (\(purpose.signerMarker.rawValue)): \(chain[0].subject)"
        }
        guard chain.count > 2 else { return "no intermediate between signer and root" }
        if purpose == .signedData, chain.count > 3 {
            return "\(chain.count) certificates, where the store's chains have three"
        }
        if let marker = purpose.intermediateMarker, !chain[1].has(marker) {
            return "no developer-relations marker (\(marker.rawValue)): \(chain[1].subject)"
        }
        return nil
    }

    /// The weakness of a certificate's key or signature; nil if both are strong enough. SHA-1 is accepted because Apple
    /// signed with it until 2025. The signature of an anchor is not checked, because its fingerprint identifies it.
    private static func weakness(
        of certificate: Certificate, minimumBits: Int, isAnchor: Bool
    ) -> String? {
        guard let key = certificate.publicKey, key.isRSA else {
            return "a key that is not RSA: \(certificate.subject)"
        }
        if key.bits < minimumBits {
            return "an RSA key of \(key.bits) bits, less than \(minimumBits): \(certificate.subject)"
        }
        if !isAnchor, !certificate.hasAcceptedSignatureAlgorithm {
            return
                "signed with neither RSASSA-PKCS1-v1_5 nor ECDSA, or with neither SHA-1 nor SHA-2: \(certificate.subject)"
        }
        return nil
    }

    /// The weakness of a certificate in a chain of signed data; nil if key and signature are strong enough. Apple has
    /// signed data since 2021, always with P-256, P-384 or RSA, and with SHA-2.
    private static func signedDataWeakness(of certificate: Certificate, isAnchor: Bool) -> String? {
        guard let key = certificate.publicKey else { return "an unreadable key: \(certificate.subject)" }
        if key.isRSA {
            if key.bits < minimumKeyBits {
                return "an RSA key of \(key.bits) bits, less than \(minimumKeyBits): \(certificate.subject)"
            }
        } else if key.curve == nil {
            return "a key that is neither P-256, P-384 nor RSA: \(certificate.subject)"
        }
        if !isAnchor, !certificate.isSignedWithSHA2 {
            return "signed with neither RSASSA-PKCS1-v1_5 nor ECDSA, or not with SHA-2: \(certificate.subject)"
        }
        return nil
    }
}
