internal import COpenSSL

/// A certificate's key, and the verification of RSA signatures by it.
///
/// Verification contexts are made once per digest and kept: making one costs as much
/// as several verifications. Not for use by two threads at once.
final class PublicKey {
    private let key: OpaquePointer
    private var contexts: [DigestAlgorithm: OpaquePointer] = [:]
    let isRSA: Bool
    /// The key's size in bits.
    let bits: Int
    /// Whether the key is small enough for a verification not to take long, which a
    /// hostile key could. The store's keys have 2048 or 4096 bits, and the exponent
    /// 65537.
    let isAffordable: Bool

    private static let maximumBits = 8192
    private static let maximumExponentBits: Int32 = 32

    /// The key of a certificate; nil where it is unreadable.
    init?(of x509: OpaquePointer) {
        guard let key = X509_get_pubkey(x509) else { return nil }
        self.key = key
        isRSA = EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA
        bits = Int(EVP_PKEY_get_bits(key))
        var exponent: OpaquePointer?
        EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent)
        isAffordable =
            bits <= Self.maximumBits && (exponent.map { BN_num_bits($0) <= Self.maximumExponentBits } ?? true)
        BN_free(exponent)
        ERR_clear_error()
    }

    deinit {
        for context in contexts.values { EVP_PKEY_CTX_free(context) }
        EVP_PKEY_free(key)
    }

    /// Whether `signature` is this key's RSASSA-PKCS1-v1_5 signature (RFC 8017,
    /// 8.2.2) of `digest`.
    func verify(
        _ signature: UnsafeBufferPointer<UInt8>, of digest: UnsafeRawBufferPointer,
        algorithm: DigestAlgorithm
    ) throws(OpenSSLError) -> Bool {
        let context = try context(for: algorithm)
        let message = digest.bindMemory(to: UInt8.self).baseAddress
        let holds = EVP_PKEY_verify(context, signature.baseAddress, signature.count, message, algorithm.count)
        if holds != 1 { ERR_clear_error() }
        return holds == 1
    }

    private func context(for algorithm: DigestAlgorithm) throws(OpenSSLError) -> OpaquePointer {
        if let context = contexts[algorithm] { return context }
        guard let context = EVP_PKEY_CTX_new(key, nil) else { throw OpenSSLError("EVP_PKEY_CTX_new") }
        guard EVP_PKEY_verify_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            EVP_PKEY_CTX_set_signature_md(context, algorithm == .sha1 ? EVP_sha1() : EVP_sha256()) == 1
        else {
            EVP_PKEY_CTX_free(context)
            throw OpenSSLError("EVP_PKEY_verify_init")
        }
        contexts[algorithm] = context
        return context
    }
}
