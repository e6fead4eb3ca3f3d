internal import ReceiptTrust

/// A set of digests in fixed memory that may say yes to one it does not hold,
/// and never no to one it does (Bloom, 1970).
///
/// A digest is random already, so its own words serve as hashes. With a million
/// digests one in 10,000 strangers is taken for a member, with eight million
/// every fourth: more look-ups then, never a wrong answer.
struct DigestFilter {
    private var words = [UInt64](repeating: 0, count: Self.bits / 64)

    /// Four MiB.
    private static let bits = 1 << 25

    mutating func insert(_ digest: SHA256Digest) {
        digest.forEachHash { hash in
            let bit = Int(truncatingIfNeeded: hash) & (Self.bits - 1)
            words[bit / 64] |= 1 << UInt64(bit % 64)
        }
    }

    func mayContain(_ digest: SHA256Digest) -> Bool {
        var isMissing = false
        digest.forEachHash { hash in
            let bit = Int(truncatingIfNeeded: hash) & (Self.bits - 1)
            if words[bit / 64] & 1 << UInt64(bit % 64) == 0 { isMissing = true }
        }
        return !isMissing
    }
}

extension SHA256Digest {
    /// Calls `body` with four numbers that are independent of each other.
    fileprivate func forEachHash(_ body: (UInt64) -> Void) {
        withBytes { bytes in
            for place in stride(from: 0, to: Self.count, by: 8) {
                body(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            }
        }
    }
}
