internal import ReceiptFormat

/// A cache of validated chains; its key is everything that decides the result of validation. Apple used five sets of
/// certificates in fourteen years, and validating a chain costs as much as twenty receipts.
///
/// Every worker has its own cache, so that a hit takes no lock; all chains in it are validated with the same anchors.
/// Refused chains are cached, too. A full cache evicts the least recently used chain.
final class ChainCache {
    private struct CachedChain {
        let input: ChainInput
        let chain: CertificateChain
    }

    /// The maximum number of cached chains, each of some 6 kB.
    static let capacity = 64

    /// The cached chains, the most recently used last.
    private var entries: [CachedChain] = []

    /// The chain of a container, from the cache or else validated now.
    ///
    /// - Parameter validate: validates a chain from its input alone, which is the cache's key.
    func chain(
        of container: Container, in bytes: Span<UInt8>,
        orElse validate: (ChainInput) throws(OpenSSLError) -> CertificateChain
    ) throws(OpenSSLError) -> CertificateChain {
        if let found = entries.lastIndex(where: { $0.input.isThat(of: container, in: bytes) }) {
            let chain = entries[found].chain
            if found != entries.count - 1 {
                entries.append(entries.remove(at: found))
            }
            return chain
        }
        let input = ChainInput(of: container, in: bytes)
        let chain = try validate(input)
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append(CachedChain(input: input, chain: chain))
        return chain
    }
}
