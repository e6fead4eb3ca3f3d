internal import COpenSSL
internal import ReceiptFormat

/// A cache of validated chains, by the bytes of their certificates and the signer's
/// name. The store used five sets in fourteen years, and validating one costs as
/// much as twenty receipts.
///
/// Every worker has its own, so that a hit takes no lock. Refused chains are cached
/// too. A full cache evicts the least recently used.
final class ChainCache {
    private struct Entry {
        let certificates: [UInt8]
        let identifier: [UInt8]
        let chain: CertificateChain
    }

    /// The number of chains that are cached, at some 6 kB each.
    static let capacity = 64

    /// The cached chains, the most recently used last.
    private var entries: [Entry] = []

    /// The chain of a container, validated now unless it is cached.
    func chain(
        of container: Container, in bytes: Span<UInt8>, orElse validate: () throws(OpenSSLError) -> CertificateChain
    ) throws(OpenSSLError) -> CertificateChain {
        let identifier = container.signer.identifier
        let found = entries.lastIndex { entry in
            Self.equal(bytes, container.certificates, entry.certificates)
                && Self.equal(bytes, identifier.bytes, entry.identifier)
        }
        if let found {
            let chain = entries[found].chain
            if found != entries.count - 1 {
                entries.append(entries.remove(at: found))
            }
            return chain
        }
        let chain = try validate()
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append(
            Entry(
                certificates: Self.copy(bytes, container.certificates),
                identifier: Self.copy(bytes, identifier.bytes), chain: chain))
        return chain
    }

    private static func equal(_ bytes: Span<UInt8>, _ range: ByteRange, _ cached: [UInt8]) -> Bool {
        guard range.count == cached.count else { return false }
        return bytes.extracting(range.indices).withUnsafeBufferPointer { part in
            cached.withUnsafeBufferPointer { other in
                guard let left = part.baseAddress, let right = other.baseAddress else { return true }
                return memcmp(left, right, part.count) == 0
            }
        }
    }

    private static func copy(_ bytes: Span<UInt8>, _ range: ByteRange) -> [UInt8] {
        bytes.extracting(range.indices).withUnsafeBufferPointer { Array($0) }
    }
}

extension SignerInfo.Identifier {
    /// All bytes that name the signer: issuer and serial number, which follow one
    /// another, or the key identifier.
    fileprivate var bytes: ByteRange {
        switch self {
        case .subjectKeyIdentifier(let range): range
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            ByteRange(offset: issuer.offset, count: serialNumber.end - issuer.offset)
        }
    }
}
