internal import COpenSSL

/// A private key made by OpenSSL's library, for tests.
public struct ThrowAwayKey: Sendable {
    public enum Kind: Sendable, Hashable {
        case curve(String)
        case rsa(Int)
        case ed25519

        public static let p256 = Kind.curve("P-256")
        public static let p384 = Kind.curve("P-384")
        public static let p521 = Kind.curve("P-521")
    }

    public struct Failure: Error { let what: String }

    /// The private key in DER: a value, so that no pointer is kept.
    private let der: [UInt8]

    public init(_ kind: Kind) throws {
        let context: OpaquePointer?
        switch kind {
        case .curve(let name):
            context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
            try Self.check(EVP_PKEY_keygen_init(context), "EVP_PKEY_keygen_init")
            try Self.check(EVP_PKEY_CTX_set_group_name(context, name), "EVP_PKEY_CTX_set_group_name")
        case .rsa(let bits):
            context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
            try Self.check(EVP_PKEY_keygen_init(context), "EVP_PKEY_keygen_init")
            try Self.check(EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)), "EVP_PKEY_CTX_set_rsa_keygen_bits")
        case .ed25519:
            context = EVP_PKEY_CTX_new_from_name(nil, "ED25519", nil)
            try Self.check(EVP_PKEY_keygen_init(context), "EVP_PKEY_keygen_init")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        try Self.check(EVP_PKEY_generate(context, &key), "EVP_PKEY_generate")
        defer { EVP_PKEY_free(key) }
        der = Self.bytes { i2d_PrivateKey(key, $0) }
    }

    /// The public key in DER, as certificates hold it (RFC 5280, 4.1.2.7).
    public var publicKey: [UInt8] {
        get throws { try withKey { key in Self.bytes { i2d_PUBKEY(key, $0) } } }
    }

    /// A signature of a message with SHA-256, as OpenSSL writes it: of curves in DER.
    public func signature(of message: [UInt8]) throws -> [UInt8] {
        try withKey { key in
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            try Self.check(EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key), "EVP_DigestSignInit")
            var count = 0
            try Self.check(EVP_DigestSign(context, nil, &count, message, message.count), "EVP_DigestSign")
            var signature = [UInt8](repeating: 0, count: count)
            try Self.check(EVP_DigestSign(context, &signature, &count, message, message.count), "EVP_DigestSign")
            return Array(signature.prefix(count))
        }
    }

    /// The integers r and s of a signature of P-256, in 32 bytes each (RFC 7518, 3.4).
    public func es256(_ message: [UInt8]) throws -> [UInt8] {
        Self.integers(of: try signature(of: message)) ?? []
    }

    /// The integers of a signature in DER (RFC 3279, 2.2.3), in `size` bytes each; nil where it is none.
    public static func integers(of der: [UInt8], size: Int32 = 32) -> [UInt8]? {
        var start: UnsafePointer<UInt8>?
        return der.withUnsafeBufferPointer { buffer in
            start = buffer.baseAddress
            guard let parsed = d2i_ECDSA_SIG(nil, &start, der.count) else { return nil }
            defer { ECDSA_SIG_free(parsed) }
            var bytes = [UInt8](repeating: 0, count: 2 * Int(size))
            let isWhole = bytes.withUnsafeMutableBufferPointer { bytes in
                BN_bn2binpad(ECDSA_SIG_get0_r(parsed), bytes.baseAddress, size) == size
                    && BN_bn2binpad(ECDSA_SIG_get0_s(parsed), bytes.baseAddress.map { $0 + Int(size) }, size) == size
            }
            return isWhole ? bytes : nil
        }
    }

    /// HMAC of a message with SHA-256, by a secret that may be no secret.
    public static func hmac(_ message: [UInt8], secret: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        HMAC(EVP_sha256(), secret, Int32(secret.count), message, message.count, &digest, nil)
        return digest
    }

    func withKey<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        let key = der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &start, der.count)
        }
        guard let key else { throw Failure(what: "d2i_AutoPrivateKey") }
        defer { EVP_PKEY_free(key) }
        return try body(key)
    }

    static func check(_ status: Int32, _ what: String) throws {
        guard status > 0 else { throw Failure(what: what) }
    }

    /// What OpenSSL writes in DER, asked for its size first.
    static func bytes(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(max(write(nil), 0)))
        bytes.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            _ = write(&start)
        }
        return bytes
    }
}

/// The order of the group of P-256 (FIPS 186-5 refers to SP 800-186, 3.2.1.3), and
/// arithmetic below it on 32 bytes in big-endian order.
public enum P256Order {
    public static let n: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6,
        0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]

    /// n − value.
    public static func complement(_ value: [UInt8]) -> [UInt8] {
        var (result, borrow) = (n, 0)
        for index in n.indices.reversed() {
            let digit = Int(n[index]) - Int(value[index]) - borrow
            borrow = digit < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: digit)
        }
        return result
    }

    /// value + n, where that fits into 32 bytes.
    public static func sum(_ value: [UInt8]) -> [UInt8]? {
        var (result, carry) = (n, 0)
        for index in n.indices.reversed() {
            let digit = Int(n[index]) + Int(value[index]) + carry
            carry = digit >> 8
            result[index] = UInt8(truncatingIfNeeded: digit)
        }
        return carry == 0 ? result : nil
    }
}
