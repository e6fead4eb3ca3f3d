import Foundation
import ReceiptFormat
import TestSupport
import Testing

@testable import ReceiptMint

/// Damaged receipts are read or refused; nothing else may happen, and soon.
///
/// A second is much, but builds for tests are slow, and slower under a sanitizer;
/// `MutatedLineTests` hold an optimized build to 100 ms.
@Suite("A damaged receipt")
struct MutationTests {
    private static let allowedSeconds = 1.0

    /// A receipt of the mint; one in chunks and with signed attributes; Xcode's
    /// of indefinite lengths, where real ones are at hand.
    private static func originals() throws -> [[UInt8]] {
        var parameters = MintParameters()
        parameters.count = 40
        let chunk = try MintedChunk(0, parameters, authority: Authority.shared(seed: 1))
        let minted = chunk.submissions.map(\.receipt.encoded).filter { $0.count < 8_000 }.max { $0.count < $1.count }

        let purchase = BER.attribute(17, BER.set(BER.attribute(1703, BER.utf8("1"))))
        let payload = BER.set(
            BER.attribute(0, BER.utf8("Xcode")), BER.attribute(12, BER.ia5("2020-07-22T18:33:15+0100")), purchase)
        var parts = SignedDataBytes()
        let chunks = BER.octets(Array(payload.prefix(20))) + BER.octets(Array(payload.dropFirst(20)))
        parts.content = BER.indefinite(0x24, BER.indefinite(0x24, chunks))
        parts.signedAttributes = BER.element(
            0xa0, SignedDataBytes.attribute(SignedDataBytes.messageDigest, BER.octets([7, 7, 7])))
        let real = try Corpus.names("xcode-").prefix(1).map { try Corpus.receipt($0) }
        return [try #require(minted), parts.bytes] + real
    }

    /// Parses all of a receipt, as far as possible.
    private func read(_ receipt: [UInt8]) {
        do throws(MalformedReceipt) {
            var reader = ByteReader(receipt.span)
            let container = try Container(parsing: &reader)
            guard container.content.isFragmented else {
                try readPayload(receipt, in: container.content.range)
                return
            }
            var joined: [UInt8] = []
            try reader.appendBytes(of: container.content, to: &joined)
            try readPayload(joined, in: ByteRange(offset: 0, count: joined.count))
        } catch {
            // Making the message must not fail either.
            _ = error.description
        }
        // What `inspect` walks, readable or not.
        walkClipped(ByteReader(receipt.span), depth: 0)
    }

    private func walkClipped(_ reader: consuming ByteReader, depth: Int) {
        while let element = reader.readClippedElement() {
            guard element.isConstructed, depth < 4 else { continue }
            walkClipped(reader.reader(in: element.content), depth: depth + 1)
        }
    }

    private func readPayload(_ bytes: [UInt8], in range: ByteRange) throws(MalformedReceipt) {
        var payload = ByteReader(bytes.span, in: range)
        var purchases: [InAppPurchase] = []
        _ = try AppReceipt(parsing: &payload, purchases: &purchases)
    }

    /// Processor time, which a busy machine does not lengthen.
    private func seconds(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        body()
        return now() - start
    }

    @Test("cut anywhere is refused")
    func refusesEveryTruncation() throws {
        for original in try Self.originals() {
            var slowest = 0.0
            // By day every byte of what surrounds the content, and every fifth behind it.
            for count in 0..<original.count where Nightly.isOn || count < 256 || count.isMultiple(of: 5) {
                let cut = Array(original.prefix(count))
                slowest = max(slowest, seconds { read(cut) })
                #expect(
                    fault {
                        var reader = ByteReader(cut.span)
                        return try Container(parsing: &reader).content
                    } != nil, "cut after \(count) bytes")
            }
            #expect(slowest < Self.allowedSeconds)
        }
    }

    @Test("with bytes changed, added or taken away is read or refused soon")
    func survivesMutations() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("let mutationSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        // Bytes with a meaning in ASN.1: tags, and lengths at their limits.
        let significant: [UInt8] = [0x00, 0x02, 0x04, 0x1f, 0x24, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x84, 0x88, 0xa0, 0xff]
        let originals = try Self.originals()
        for round in 0..<Nightly.rounds(day: 4_000, night: 20_000) {
            var bytes = originals[round % originals.count]
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                let byte =
                    Bool.random(using: &random)
                    ? significant[Int.random(in: significant.indices, using: &random)]
                    : .random(in: 0 ... .max, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[index] = byte
                case 2: bytes.insert(byte, at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + Int(byte % 16) + 1))
                }
            }
            let mutant = bytes
            let time = seconds { read(mutant) }
            #expect(time < Self.allowedSeconds, "seed \(seed), round \(round)")
        }
    }

    @Test("that nests as deep as its bytes allow is refused soon")
    func survivesDeepNesting() {
        for unit: [UInt8] in [[0x30, 0x80], [0x24, 0x80], [0xa0, 0x80], [0x31, 0x80]] {
            let bomb = Array([[UInt8]](repeating: unit, count: 500_000).joined())
            #expect(seconds { read(bomb) } < Self.allowedSeconds)
        }
        // Chunks within chunks, with definite lengths.
        var nest = BER.octets([1])
        for _ in 0..<2_000 { nest = BER.element(0x24, nest) }
        var parts = SignedDataBytes()
        parts.content = nest
        let bytes = parts.bytes
        #expect(seconds { read(bytes) } < Self.allowedSeconds)
    }
}
