public import ReceiptTrust

/// Verification of what StoreKit 2 signs, in one call.
public enum SignedData {
    /// A verifier that trusts Apple's root alone, made at the first call and kept for the chains that it remembers.
    private static let apple = Result { () throws(OpenSSLError) in try DocumentVerifier() }

    /// Verifies a signed string of StoreKit 2, such as a transaction or the `signedPayload` of a notification, under
    /// Apple's root. Any number of threads may call at once; the network is not asked.
    ///
    /// - Parameter string: the JWS as it came. A receipt in base64 is read as well: ``VerifiedDocument/kind`` says what
    ///   the document is.
    /// - Returns: the document with its verdict; one that can't be read has none. Nothing is thrown for a forged one.
    /// - Throws: ``OpenSSLError`` where OpenSSL itself fails, whatever the string.
    public static func verify(_ string: String) throws(OpenSSLError) -> VerifiedDocument {
        try apple.get().verify(string)
    }

    /// Judges whether a service may act on a signed string, under Apple's root, as ``DocumentVerifier/judge`` does.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, regardless of the string.
    public static func judge(
        _ string: String, bundle: String, environment: ExpectedEnvironment, device: String? = nil,
        at time: Int64? = nil
    ) throws(OpenSSLError) -> JudgedDocument {
        try apple.get().judge(string, bundle: bundle, environment: environment, device: device, at: time)
    }
}
