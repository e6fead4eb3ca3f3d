/// The work that a search for issuers may spend on verifying signatures. The unit is one verification with an RSA key
/// of 2048 bits and the exponent 65537.
///
/// Apple has few issuers with the same name; a hostile receipt could contain many, with keys that take long to use.
struct VerificationBudget {
    /// The work that one search may spend: half a millisecond.
    static let whole = 32

    private(set) var left = Self.whole

    /// Whether `issuer`'s key signed a certificate; also false if the budget does not suffice for the verification.
    mutating func finds(_ certificate: Certificate, signedBy issuer: Certificate) -> Bool {
        guard let key = issuer.publicKey, key.verificationCost <= left else { return false }
        left -= key.verificationCost
        return certificate.isSigned(by: issuer)
    }
}
