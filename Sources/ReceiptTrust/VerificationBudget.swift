/// The work that a search for issuers may spend on verifying signatures, in
/// verifications by an RSA key of 2048 bits with the exponent 65537.
///
/// The store's issuers of one name are few; a hostile receipt could carry many, with
/// keys whose every use takes long.
struct VerificationBudget {
    /// The work that one search may spend: half a millisecond.
    static let whole = 32

    private(set) var left = Self.whole

    /// Whether `issuer`'s key signed a certificate; false, too, where the budget does not suffice
    /// for the verification.
    mutating func finds(_ certificate: Certificate, signedBy issuer: Certificate) -> Bool {
        guard let key = issuer.publicKey, key.verificationCost <= left else { return false }
        left -= key.verificationCost
        return certificate.isSigned(by: issuer)
    }
}
