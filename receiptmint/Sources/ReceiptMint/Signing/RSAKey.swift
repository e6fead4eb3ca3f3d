internal import COpenSSL

/// A private RSA key that follows from a seed.
///
/// **Worthless as security.** The seed, which stands in the command line and in
/// `truth.json`, gives the key away: that makes archives repeatable. The primes
/// come from a generator that is not cryptographic, tested with OpenSSL's own
/// primality test. Never use it for real signatures.
///
/// `@unchecked` because of the pointer: the key is never changed after `init`,
/// and OpenSSL allows any number of threads to sign with one unchanging
/// `EVP_PKEY`, each through a context of its own (openssl-threads(7)).
final class RSAKey: @unchecked Sendable {
    /// RSAPublicKey of RFC 8017 A.1.1.
    let publicKey: [UInt8]
    private let pointer: OpaquePointer

    init(bits: Int, random: inout SeededRandom) throws {
        let key = try OpenSSL.calculate(with: 11) { numbers, context in
            let (first, second, exponent) = (numbers[0], numbers[1], numbers[2])
            try MintError.check("BN_set_word", BN_set_word(exponent, Self.publicExponent) == 1)
            for prime in [first, second] { try Self.draw(prime, bits: bits / 2, random: &random, context: context) }
            // RFC 8017 A.1.2 wants no order, but by custom the first prime is the greater.
            let (p, q) = BN_cmp(first, second) > 0 ? (first, second) : (second, first)
            return try Self.privateKey(p, q, exponent, scratch: Array(numbers[3...]), context)
        }
        publicKey = key.publicKey
        let pointer = key.encoded.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PrivateKey(EVP_PKEY_RSA, nil, &cursor, buffer.count)
        }
        self.pointer = try OpenSSL.made("d2i_PrivateKey", pointer)
    }

    deinit { EVP_PKEY_free(pointer) }

    /// RSASSA-PKCS1-v1_5 (RFC 8017 8.2) over bytes.
    func sign(_ bytes: [UInt8], digest: Digest) throws -> [UInt8] {
        let hash = try digest.hash(bytes)
        let context = try OpenSSL.made("EVP_PKEY_CTX_new", EVP_PKEY_CTX_new(pointer, nil))
        defer { EVP_PKEY_CTX_free(context) }
        var count = Int(EVP_PKEY_get_size(pointer))
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_PKEY_sign_init(context) == 1,
            EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            EVP_PKEY_CTX_set_signature_md(context, digest.algorithm) == 1,
            EVP_PKEY_sign(context, &signature, &count, hash, hash.count) == 1
        else { throw MintError.library(operation: "EVP_PKEY_sign") }
        return signature
    }

    private static let publicExponent: UInt = 65_537

    /// Sets a number to the next prime from a random start whose product with another of its
    /// kind has twice the bits, and that suits the public exponent.
    private static func draw(
        _ prime: OpaquePointer, bits: Int, random: inout SeededRandom, context: OpaquePointer
    ) throws {
        var start = random.bytes(bits / 8)
        start[0] |= 0xc0
        start[start.count - 1] |= 0x01
        try OpenSSL.set(prime, to: start)
        while true {
            let isPrime = BN_check_prime(prime, context, nil)
            // (p − 1) is a multiple of the exponent where p leaves 1.
            if isPrime == 1, BN_mod_word(prime, publicExponent) != 1 { return }
            try MintError.check("BN_check_prime", isPrime >= 0 && BN_add_word(prime, 2) == 1)
        }
    }

    /// RSAPrivateKey of RFC 8017 A.1.2, and the public half.
    private static func privateKey(
        _ p: OpaquePointer, _ q: OpaquePointer, _ exponent: OpaquePointer, scratch: [OpaquePointer],
        _ context: OpaquePointer
    ) throws -> (encoded: [UInt8], publicKey: [UInt8]) {
        let (modulus, pMinus1, qMinus1, order) = (scratch[0], scratch[1], scratch[2], scratch[3])
        let (d, dP, dQ, qInverse) = (scratch[4], scratch[5], scratch[6], scratch[7])
        guard BN_mul(modulus, p, q, context) == 1,
            BN_sub(pMinus1, p, BN_value_one()) == 1,
            BN_sub(qMinus1, q, BN_value_one()) == 1,
            BN_mul(order, pMinus1, qMinus1, context) == 1,
            BN_mod_inverse(d, exponent, order, context) != nil,
            BN_div(nil, dP, d, pMinus1, context) == 1,
            BN_div(nil, dQ, d, qMinus1, context) == 1,
            BN_mod_inverse(qInverse, q, p, context) != nil
        else { throw MintError.library(operation: "RSA key arithmetic") }
        let publicParts = integer(modulus) + integer(exponent)
        let encoded =
            DER.integer(0) + publicParts + integer(d) + integer(p) + integer(q)
            + integer(dP) + integer(dQ) + integer(qInverse)
        return (DER.sequence(encoded), DER.sequence(publicParts))
    }

    private static func integer(_ number: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return DER.unsignedInteger(bytes)
    }
}

/// Certificates are signed with SHA-256 (RFC 4055 5), whatever receipts are signed with.
extension RSAKey: CertificateKey {
    var keyAlgorithm: [UInt8] { DER.sequence(DER.objectIdentifier([1, 2, 840, 113549, 1, 1, 1]), DER.null) }
    var signatureAlgorithm: [UInt8] { DER.sequence(DER.objectIdentifier([1, 2, 840, 113549, 1, 1, 11]), DER.null) }

    func signCertificate(_ toBeSigned: [UInt8]) throws -> [UInt8] { try sign(toBeSigned, digest: .sha256) }
}
