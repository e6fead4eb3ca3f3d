internal import COpenSSL

/// A private key on a curve of NIST's that follows from a seed, and ECDSA with it.
///
/// **Worthless as security.** The seed gives the key away, and neither the
/// arithmetic nor the nonces are guarded against anyone who measures time. It
/// signs throw-away data alone. Nonces are those of RFC 6979, which makes
/// equal options give equal bytes; OpenSSL can derive them itself from 3.2 on,
/// and the mint has to work with 3.0.
///
/// `@unchecked` because of the pointers: group and numbers are never changed
/// after `init`, OpenSSL takes them as `const` where they are used, and each
/// call has scratch memory of its own.
final class ECKey: @unchecked Sendable {
    enum Curve: Sendable {
        /// With SHA-256.
        case p256
        /// With SHA-384.
        case p384

        /// Bytes of a coordinate, a scalar, and of the digest that goes with the curve.
        var size: Int { self == .p256 ? 32 : 48 }
        fileprivate var name: Int32 { self == .p256 ? NID_X9_62_prime256v1 : NID_secp384r1 }
        fileprivate var digest: Digest { self == .p256 ? .sha256 : .sha384 }
        /// RFC 5480 2.1.1.1.
        fileprivate var objectIdentifier: [UInt64] {
            self == .p256 ? [1, 2, 840, 10045, 3, 1, 7] : [1, 3, 132, 0, 34]
        }
    }

    let curve: Curve
    /// The uncompressed point (SEC 1 2.3.3).
    let publicKey: [UInt8]
    private let scalar: [UInt8]
    private let group, order, secret: OpaquePointer

    convenience init(_ curve: Curve, random: inout SeededRandom) throws {
        // Both orders begin with 32 ones, so a first byte of 0x7f at most keeps below them.
        var scalar = random.bytes(curve.size)
        scalar[0] &= 0x7f
        scalar[curve.size - 1] |= 0x01
        try self.init(curve, scalar: scalar)
    }

    init(_ curve: Curve, scalar: [UInt8]) throws {
        group = try OpenSSL.made("EC_GROUP_new_by_curve_name", EC_GROUP_new_by_curve_name(curve.name))
        order = try OpenSSL.made("EC_GROUP_get0_order", EC_GROUP_get0_order(group))
        secret = try OpenSSL.made("BN_bin2bn", BN_bin2bn(scalar, Int32(scalar.count), nil))
        let point = try OpenSSL.made("EC_POINT_new", EC_POINT_new(group))
        defer { EC_POINT_free(point) }
        var encoded = [UInt8](repeating: 0, count: 1 + 2 * curve.size)
        try MintError.check("EC_POINT_mul", EC_POINT_mul(group, point, secret, nil, nil, nil) == 1)
        let count = EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &encoded, encoded.count, nil)
        try MintError.check("EC_POINT_point2oct", count == encoded.count)
        (self.curve, self.scalar) = (curve, scalar)
        publicKey = encoded
    }

    deinit {
        EC_GROUP_free(group)
        BN_free(secret)
    }

    /// r and s, each as long as a coordinate (FIPS 186-5 6.4.1).
    func sign(_ message: [UInt8]) throws -> (r: [UInt8], s: [UInt8]) {
        let digest = try curve.digest.hash(message)
        let point = try OpenSSL.made("EC_POINT_new", EC_POINT_new(group))
        defer { EC_POINT_free(point) }
        return try OpenSSL.calculate(with: 5) { numbers, context in
            let (hash, nonce, x, r, s) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
            try OpenSSL.set(x, to: digest)
            try MintError.check("BN_nnmod", BN_nnmod(hash, x, order, context) == 1)
            var nonces = try Nonces(digest: curve.digest, scalar: scalar, reducedHash: try bytes(hash))
            while true {
                try OpenSSL.set(nonce, to: try nonces.next())
                guard BN_is_zero(nonce) == 0, BN_cmp(nonce, order) < 0 else { continue }
                guard EC_POINT_mul(group, point, nonce, nil, nil, context) == 1,
                    EC_POINT_get_affine_coordinates(group, point, x, nil, context) == 1,
                    BN_nnmod(r, x, order, context) == 1,
                    BN_mod_mul(s, r, secret, order, context) == 1,
                    BN_mod_add(s, s, hash, order, context) == 1,
                    BN_mod_inverse(nonce, nonce, order, context) != nil,
                    BN_mod_mul(s, s, nonce, order, context) == 1
                else { throw MintError.library(operation: "ECDSA arithmetic") }
                if BN_is_zero(r) == 0, BN_is_zero(s) == 0 { return (try bytes(r), try bytes(s)) }
            }
        }
    }

    private func bytes(_ number: OpaquePointer) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: curve.size)
        try MintError.check("BN_bn2binpad", BN_bn2binpad(number, &bytes, Int32(bytes.count)) == curve.size)
        return bytes
    }

    /// The generator of RFC 6979 3.2, for digests as long as the order: then
    /// one block is one candidate.
    private struct Nonces {
        let digest: Digest
        var key, value: [UInt8]
        var isFirst = true

        init(digest: Digest, scalar: [UInt8], reducedHash: [UInt8]) throws {
            self.digest = digest
            key = [UInt8](repeating: 0, count: scalar.count)
            value = [UInt8](repeating: 1, count: scalar.count)
            for step: UInt8 in 0...1 { try stir([step] + scalar + reducedHash) }
        }

        private mutating func stir(_ bytes: [UInt8]) throws {
            key = try digest.code(value + bytes, key: key)
            value = try digest.code(value, key: key)
        }

        mutating func next() throws -> [UInt8] {
            if !isFirst { try stir([0]) }
            isFirst = false
            value = try digest.code(value, key: key)
            return value
        }
    }
}

/// RFC 5480 and, for signatures, RFC 5758 3.2: `ecdsa-with-SHA256` and `-SHA384`.
extension ECKey: CertificateKey {
    var keyAlgorithm: [UInt8] {
        DER.sequence(DER.objectIdentifier([1, 2, 840, 10045, 2, 1]), DER.objectIdentifier(curve.objectIdentifier))
    }

    var signatureAlgorithm: [UInt8] {
        DER.sequence(DER.objectIdentifier([1, 2, 840, 10045, 4, 3, curve == .p256 ? 2 : 3]))
    }

    /// - Parameter digest: the curve's own.
    func sign(_ document: [UInt8], digest: Digest) throws -> [UInt8] {
        let (r, s) = try sign(document)
        return r + s
    }

    func signCertificate(_ toBeSigned: [UInt8]) throws -> [UInt8] {
        let (r, s) = try sign(toBeSigned)
        return DER.sequence(DER.unsignedInteger(r), DER.unsignedInteger(s))
    }
}
