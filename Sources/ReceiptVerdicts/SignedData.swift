public import ReceiptTrust

/// Verification of StoreKit 2's signed data in one call.
public enum SignedData {
    /// A verifier that trusts only Apple's root. It is created at the first call and then kept, because it caches
    /// chains.
    private static let apple = Result { () throws(OpenSSLError) in try DocumentVerifier() }

    /// Verifies a signed string of StoreKit 2, such as a transaction or the `signedPayload` of a notification, with
    /// Apple's root. Any number of threads may call it at once; the network is not used.
    ///
    /// - Parameter string: the JWS as received. A receipt in base64 is accepted as well: ``VerifiedDocument/kind`` is
    ///   the kind of the document.
    /// - Returns: the document with its verdict; a document that can't be read has none. No error is thrown for a
    ///   forged one.
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, whatever the string.
    public static func verify(_ string: String) throws(OpenSSLError) -> VerifiedDocument {
        try apple.get().verify(string)
    }

    /// Judges whether a service may act on a signed string, with Apple's root, as ``DocumentVerifier/judge`` does.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL itself fails, regardless of the string.
    public static func judge(
        _ string: String, bundle: String, environment: ExpectedEnvironment, device: String? = nil,
        at time: Int64? = nil
    ) throws(OpenSSLError) -> JudgedDocument {
        try apple.get().judge(string, bundle: bundle, environment: environment, device: device, at: time)
    }
}
