import Foundation
import ReceiptFormat
import TestSupport
import Testing

@testable import ReceiptTrust

@Suite("The cache of chains")
struct ChainCacheTests {
    /// The receipt with another serial number stated by its signer, as long as before.
    private func renamed(_ receipt: ReadReceipt, _ value: Int) throws -> ReadReceipt {
        guard case .issuerAndSerialNumber(_, let serial) = receipt.container.signer.identifier else {
            throw CocoaError(.coderInvalidValue)
        }
        var bytes = receipt.bytes
        bytes.replaceSubrange(serial.indices, with: [UInt8](repeating: 0x11, count: serial.count - 1) + [UInt8(value)])
        return try ReadReceipt(bytes)
    }

    private func makeStore() throws -> ReceiptStore {
        try ReceiptStore(signer: .signer.with { $0.serial = "0x123456" })
    }

    /// The value of validations of a chain for each receipt, in order.
    private func validations(of receipts: [ReadReceipt], with cache: ChainCache) throws -> [Int] {
        let digest = try MessageDigest()
        return try receipts.map { receipt in
            var count = 0
            _ = try cache.chain(of: receipt.container, in: receipt.bytes.span) { (input) throws(OpenSSLError) in
                count += 1
                return try CertificateChain(of: input, anchors: .apple, digest: digest)
            }
            return count
        }
    }

    @Test("gives the same verdict again")
    func repeatsVerdicts() throws {
        let store = try makeStore()
        let anchors = try TrustAnchors(files: store.der("root"))
        let verifier = try Verifier(anchors: anchors)
        let good = try ReadReceipt(store.receipt())
        let late = try ReadReceipt(store.receipt(ReceiptStore.payload(createdAt: Date() + 10 * 86_400)))
        let undated = try ReadReceipt(store.receipt(ReceiptStore.payload(createdAt: nil)))
        let headless = try ReadReceipt(store.receipt(carrying: ["root"]))
        var forged = good.bytes
        forged[good.container.signer.signature.offset + 5] ^= 1
        let all = [good, late, undated, headless, try ReadReceipt(forged), try renamed(good, 1)]
        let fresh = try all.map { try $0.verify(with: Verifier(anchors: anchors)) }
        #expect(
            fresh.map(\.verdict) == [
                .trusted, .notValidAtCreation, .notValidAtCreation, .brokenChain, .badSignature, .brokenChain,
            ])
        for order in [all.indices.map { $0 }, all.indices.reversed(), all.indices.map { $0 }] {
            for index in order { #expect(try all[index].verify(with: verifier) == fresh[index]) }
        }
    }

    @Test("validates a set of certificates once for each signer that is named, refused or not")
    func remembersRefusals() throws {
        let store = try makeStore()
        let good = try ReadReceipt(store.receipt())
        let other = try renamed(good, 1)
        // Nothing here leads to Apple's root: every chain is refused.
        #expect(try validations(of: [good, good, other, good, other], with: ChainCache()) == [1, 0, 1, 0, 0])
        let shorter = try ReadReceipt(store.receipt(carrying: ["root"]))
        #expect(try validations(of: [good, shorter, good, shorter], with: ChainCache()) == [1, 1, 0, 0])
    }

    @Test("keeps as many as its capacity, and evicts the least recently used")
    func staysBounded() throws {
        let store = try makeStore()
        let good = try ReadReceipt(store.receipt())
        let many = try (0..<ChainCache.capacity).map { try renamed(good, $0) }
        let cache = ChainCache()
        #expect(try validations(of: many, with: cache).allSatisfy { $0 == 1 })
        #expect(try validations(of: many, with: cache).allSatisfy { $0 == 0 })
        // The first is used again, so the newcomer evicts the second.
        let newcomer = try renamed(good, ChainCache.capacity)
        #expect(try validations(of: [many[0], newcomer, many[0], newcomer], with: cache) == [0, 1, 0, 0])
        #expect(try validations(of: [many[2], many[1]], with: cache) == [0, 1])
    }

    /// A stranger may write any bytes as a key identifier, whom nobody checks: the signer's name is not signed.
    @Test("tells a key identifier from an issuer and serial number of the same bytes, whichever comes first")
    func keepsKindsOfNamesApart() throws {
        let store = try makeStore()
        let anchors = try TrustAnchors(files: store.der("root"))
        let genuine = try HandmadeReceipt(store)
        var forged = genuine
        let name = genuine.parts.signerIdentifier
        // Both have a header of two bytes: SEQUENCE, and [0] in its place.
        #expect(name[0] == 0x30 && name[1] < 0x80)
        forged.parts.signerIdentifier = [0x80] + name.dropFirst()
        let receipts = (try ReadReceipt(genuine.parts.bytes), try ReadReceipt(forged.parts.bytes))
        #expect(try genuine.opensslVerifies())
        #expect(try !forged.opensslVerifies())
        let forgedFirst = try Verifier(anchors: anchors)
        #expect(try receipts.1.verify(with: forgedFirst).verdict == .brokenChain)
        #expect(try receipts.0.verify(with: forgedFirst).verdict == .trusted)
        let genuineFirst = try Verifier(anchors: anchors)
        #expect(try receipts.0.verify(with: genuineFirst).verdict == .trusted)
        #expect(try receipts.1.verify(with: genuineFirst).verdict == .brokenChain)
        #expect(try validations(of: [receipts.1, receipts.0, receipts.1], with: ChainCache()) == [1, 1, 0])
    }
}
