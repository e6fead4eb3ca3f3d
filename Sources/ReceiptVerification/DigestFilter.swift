internal import ReceiptTrust

/// A set of digests in fixed memory. It may wrongly report that it contains a digest, but never that it does not
/// contain one (Bloom, 1970).
///
/// A digest is already random, so its own bits serve as hashes. The four bits of a digest are in one block of 64 bytes,
/// a line of the processor's cache (Putze, Sanders and Singler, 2007). With a million digests, one in some thousands of
/// other digests is wrongly reported, with eight million every third. Such an error costs a look-up, but does not
/// change a result.
struct DigestFilter {
    private var words = [UInt64](repeating: 0, count: Self.blocks * Self.wordsOfBlock)

    /// The number of blocks that sixteen bits can select; their total size is four MiB.
    private static let blocks = 1 << 16
    private static let wordsOfBlock = 8

    mutating func insert(_ digest: SHA256Digest) {
        let (block, bits) = Self.location(of: digest)
        for shift in stride(from: 0, to: 36, by: 9) as StrideTo<UInt64> {
            let bit = bits >> shift & 511
            words[block + Int(bit / 64)] |= 1 << (bit % 64)
        }
    }

    func mayContain(_ digest: SHA256Digest) -> Bool {
        let (block, bits) = Self.location(of: digest)
        for shift in stride(from: 0, to: 36, by: 9) as StrideTo<UInt64> {
            let bit = bits >> shift & 511
            if words[block + Int(bit / 64)] & 1 << (bit % 64) == 0 { return false }
        }
        return true
    }

    /// The index of the first word of a digest's block, and a number whose lowest four groups of nine bits each select
    /// a bit of the block.
    private static func location(of digest: SHA256Digest) -> (block: Int, bits: UInt64) {
        let word = digest.leadingWord
        return (Int(word >> 48) * wordsOfBlock, word)
    }
}
