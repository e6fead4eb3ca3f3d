internal import COpenSSL
internal import CP256
public import ReceiptFormat

/// An ES256 signature and the digest of what was signed.
public struct ES256Signature: Sendable {
    var raw = receiptmill_p256_signature()

    /// Bytes of a signature: r and s (RFC 7518, 3.4).
    public static let size = 64

    /// A signature; nil where it has another size.
    ///
    /// - Parameters:
    ///   - signature: r and s in `bytes`.
    ///   - digest: the SHA-256 of what was signed.
    public init?(_ signature: ByteRange, in bytes: Span<UInt8>, of digest: SHA256Digest) {
        guard signature.count == Self.size else { return nil }
        bytes.extracting(signature.indices).withUnsafeBytes { signature in
            withUnsafeMutableBytes(of: &raw.r) { $0.copyBytes(from: signature[..<32]) }
            withUnsafeMutableBytes(of: &raw.s) { $0.copyBytes(from: signature[32...]) }
        }
        digest.withBytes { digest in withUnsafeMutableBytes(of: &raw.digest) { $0.copyBytes(from: digest) } }
    }
}

/// What tables of all keys share. Not for use by two threads at once.
final class KeyTableArithmetic {
    fileprivate let shared: OpaquePointer

    /// Nil where OpenSSL lacks the calls.
    init?() {
        guard let shared = receiptmill_p256_new() else { return nil }
        self.shared = shared
    }

    deinit { receiptmill_p256_free(shared) }
}

/// Tables of one P-256 key's multiples, by which a signature is verified in a fourth of
/// the time. Not for use by two threads at once.
final class KeyTables {
    private let arithmetic: KeyTableArithmetic
    private let key: OpaquePointer

    /// - Parameter point: the key, uncompressed (SEC 1, 2.3.3); nil where it is no such point.
    init?(of point: [UInt8], _ arithmetic: KeyTableArithmetic) {
        guard point.count == 65, point[0] == 4,
            let key = point.withUnsafeBufferPointer({ receiptmill_p256_key_new(arithmetic.shared, $0.baseAddress) })
        else { return nil }
        self.arithmetic = arithmetic
        self.key = key
    }

    deinit { receiptmill_p256_key_free(key) }

    /// Whether each signature is the key's. False also where that could not be decided.
    func verify(_ signatures: [ES256Signature]) -> [Bool] {
        var holds = [UInt8](repeating: 0, count: signatures.count)
        // Copies of 96 bytes each, which is nothing beside a verification.
        receiptmill_p256_verify(arithmetic.shared, key, signatures.map(\.raw), signatures.count, &holds)
        return holds.map { $0 == 1 }
    }
}
