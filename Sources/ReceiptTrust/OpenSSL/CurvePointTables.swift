internal import COpenSSL
internal import CP256
public import ReceiptFormat

/// An ES256 signature and the digest of the signed characters.
public struct ES256Signature: Sendable {
    var raw = receiptmill_p256_signature()

    /// The size of a signature in bytes, r and s (RFC 7518, 3.4).
    public static let size = 64

    /// Copies a signature and its digest; nil if the signature has another size.
    ///
    /// - Parameters:
    ///   - signature: r and s in `bytes`.
    ///   - digest: the SHA-256 of the signed characters.
    public init?(_ signature: ByteRange, in bytes: Span<UInt8>, of digest: SHA256Digest) {
        guard signature.count == Self.size else { return nil }
        bytes.extracting(signature.indices).withUnsafeBytes { signature in
            withUnsafeMutableBytes(of: &raw.r) { $0.copyBytes(from: signature[..<32]) }
            withUnsafeMutableBytes(of: &raw.s) { $0.copyBytes(from: signature[32...]) }
        }
        digest.withBytes { digest in withUnsafeMutableBytes(of: &raw.digest) { $0.copyBytes(from: digest) } }
    }
}

/// OpenSSL's arithmetic on P-256, which is shared by the tables of all keys. Not for use by two threads at once.
final class KeyTableArithmetic {
    fileprivate let shared: OpaquePointer

    /// Prepares the arithmetic; nil if OpenSSL lacks the calls.
    init?() {
        guard let shared = receiptmill_p256_new() else { return nil }
        self.shared = shared
    }

    deinit { receiptmill_p256_free(shared) }
}

/// Tables of one P-256 key's multiples, with which verifying a signature takes a fourth of the time. Not for use by two
/// threads at once.
final class CurvePointTables {
    private let arithmetic: KeyTableArithmetic
    private let key: OpaquePointer

    /// - Parameter point: the key as an uncompressed point (SEC 1, 2.3.3); the initializer fails if the bytes are not a
    ///   point of P-256.
    init?(of point: [UInt8], _ arithmetic: KeyTableArithmetic) {
        guard point.count == 65, point[0] == 4,
            let key = point.withUnsafeBufferPointer({ receiptmill_p256_key_new(arithmetic.shared, $0.baseAddress) })
        else { return nil }
        self.arithmetic = arithmetic
        self.key = key
    }

    deinit { receiptmill_p256_key_free(key) }

    /// For each signature, whether it was made with the key; also false if the tables could not decide.
    func verify(_ signatures: [ES256Signature]) -> [Bool] {
        var holds = [UInt8](repeating: 0, count: signatures.count)
        // Copying 96 bytes for each signature costs almost nothing compared with verifying it.
        receiptmill_p256_verify(arithmetic.shared, key, signatures.map(\.raw), signatures.count, &holds)
        return holds.map { $0 == 1 }
    }
}
