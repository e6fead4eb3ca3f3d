internal import COpenSSL
internal import CP256
internal import ReceiptFormat

/// A certificate's key, which verifies signatures.
///
/// Verification contexts are created once for each digest and kept, since creating one costs as much as several
/// verifications. Not for use by two threads at once.
final class PublicKey {
    private let key: OpaquePointer
    private var contexts: [DigestAlgorithm: OpaquePointer] = [:]
    let isRSA: Bool
    /// The curve of an elliptic-curve key, if it is one of the two that Apple uses.
    let curve: Curve?
    /// The key's size in bits.
    let bits: Int
    /// Whether the key is small enough that a verification does not take long; a hostile key may be larger. Apple's
    /// keys have 2048 or 4096 bits, and the exponent 65537.
    let isAffordable: Bool
    /// The work of one verification. The unit is a verification with an RSA key of 2048 bits and the exponent 65537.
    /// The work grows with the square of the modulus's size and with the exponent's size.
    let verificationCost: Int

    /// Curves by OpenSSL's names (RFC 5480, 2.1.1.1).
    enum Curve: String {
        case p256 = "prime256v1"
        case p384 = "secp384r1"
    }

    private static let maximumBits = 8192
    private static let maximumExponentBits = 32

    /// The key of a certificate; nil if it is unreadable.
    init?(of x509: OpaquePointer) {
        guard let key = X509_get_pubkey(x509) else { return nil }
        self.key = key
        isRSA = EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA
        curve = Self.curve(of: key)
        bits = Int(EVP_PKEY_get_bits(key))
        var exponent: OpaquePointer?
        EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent)
        let exponentBits = exponent.map { Int(BN_num_bits($0)) } ?? 0
        isAffordable = bits <= Self.maximumBits && exponentBits <= Self.maximumExponentBits
        let size = (bits + 2047) / 2048
        // Measured with OpenSSL 3, a verification with P-256 takes 4 units, and one with P-384 some 40.
        verificationCost = isRSA ? size * size * ((exponentBits + 16) / 17) : curve == .p256 ? 4 : 40
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

    /// Whether a signature is this key's (FIPS 186-5, 6.4.2).
    func verify(_ signature: ES256Signature) throws(OpenSSLError) -> Bool {
        var der = DERSignature()
        withUnsafeBytes(of: signature.raw.r) { der.append($0.bindMemory(to: UInt8.self)) }
        withUnsafeBytes(of: signature.raw.s) { der.append($0.bindMemory(to: UInt8.self)) }
        let context = try context(for: .sha256)
        return der.withBytes { der in
            withUnsafeBytes(of: signature.raw.digest) { message in
                let holds = EVP_PKEY_verify(
                    context, der.baseAddress, der.count, message.bindMemory(to: UInt8.self).baseAddress, message.count)
                if holds != 1 { ERR_clear_error() }
                return holds == 1
            }
        }
    }

    /// A P-256 key as an uncompressed point (SEC 1, 2.3.3); nil for other keys.
    var point: [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65)
        var count = 0
        guard curve == .p256,
            EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, &bytes, bytes.count, &count) == 1
        else {
            ERR_clear_error()
            return nil
        }
        return Array(bytes[..<count])
    }

    private static func curve(of key: OpaquePointer) -> Curve? {
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return nil }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return nil }
        return Curve(rawValue: String(decoding: name.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    private func context(for algorithm: DigestAlgorithm) throws(OpenSSLError) -> OpaquePointer {
        if let context = contexts[algorithm] { return context }
        guard let context = EVP_PKEY_CTX_new(key, nil) else { throw OpenSSLError("EVP_PKEY_CTX_new") }
        guard EVP_PKEY_verify_init(context) == 1,
            !isRSA || EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            EVP_PKEY_CTX_set_signature_md(context, algorithm == .sha1 ? EVP_sha1() : EVP_sha256()) == 1
        else {
            EVP_PKEY_CTX_free(context)
            throw OpenSSLError("EVP_PKEY_verify_init")
        }
        contexts[algorithm] = context
        return context
    }
}

/// An ECDSA signature in the form that OpenSSL reads (RFC 3279, 2.2.3), built in place: two integers of at most 33
/// bytes.
private struct DERSignature {
    private var bytes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
        (0, 0, 0, 0, 0, 0, 0, 0, 0)
    /// The number of used bytes, including the two of the SEQUENCE's header.
    private var count = 2

    /// Appends an unsigned integer in big-endian order (X.690, 8.3).
    mutating func append(_ integer: UnsafeBufferPointer<UInt8>) {
        var digits = integer.drop { $0 == 0 }
        if digits.isEmpty { digits = integer.suffix(1) }
        let padding = digits.first.map { $0 >= 0x80 ? 1 : 0 } ?? 0
        let count = count
        withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes[count] = Tag.integer
            bytes[count + 1] = UInt8(digits.count + padding)
            if padding > 0 { bytes[count + 2] = 0 }
            for (index, digit) in digits.enumerated() { bytes[count + 2 + padding + index] = digit }
            bytes[0] = Tag.sequence
            bytes[1] = UInt8(count + padding + digits.count)
        }
        self.count += 2 + padding + digits.count
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeBytes(of: bytes) { body(UnsafeBufferPointer(rebasing: $0.bindMemory(to: UInt8.self)[..<count])) }
    }
}
