import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

/// Certificates with bytes changed, added and taken away, the container around
/// them corrected: the certificates alone are damaged.
@Suite("Damaged certificates")
struct CertificateMutationTests {
    private static let rounds = Nightly.rounds(day: 500, night: 1_500)

    /// The signed part of a certificate, or the whole of one that is pinned.
    ///
    /// OpenSSL reads a certificate's own header and its signature's in any
    /// encoding of BER; those are not signed. So a receipt may stay trusted while
    /// a byte of them is written otherwise, but never without these bytes.
    private static func essence(of der: [UInt8], isPinned: Bool) throws -> [UInt8] {
        guard !isPinned else { return der }
        var reader = ByteReader(der.span)
        var certificate = reader.reader(in: try reader.readElement(Tag.sequence).content)
        return Array(der[try certificate.readElement(Tag.sequence).whole.indices])
    }

    private static func holds(_ part: [UInt8], _ whole: [UInt8]) -> Bool {
        Data(whole).range(of: Data(part)) != nil
    }

    @Test("make no receipt trusted unless all that is signed of the chain is left, and nothing crashes")
    func survivesMutations() throws {
        let store = try ReceiptStore()
        let genuine = try HandmadeReceipt(store)
        let names = ["signer", "intermediate", "root"]
        let certificates = try names.flatMap { try store.der($0) }
        let essence = try names.map { try Self.essence(of: store.der($0), isPinned: $0 == "root") }
        let fingerprint = try #require(try store.workdir.openssl("dgst", "-sha256", "-r", "root.der")).prefix(64)
        let verifier = try Verifier(anchors: TrustAnchors(fingerprint: String(fingerprint)))

        let seed = UInt64.random(in: 0 ... .max)
        print("let certificateSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        let significant: [UInt8] = [0x00, 0x02, 0x03, 0x04, 0x06, 0x1f, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x82, 0xa3, 0xff]
        var verdicts: [Verdict: Int] = [:]
        for round in 0..<Self.rounds {
            var damaged = certificates
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let index = Int.random(in: damaged.indices, using: &random)
                let byte = significant.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<5, using: &random) {
                case 0: damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: damaged[index] = byte
                case 2: damaged.insert(byte, at: index)
                case 3: damaged.remove(at: index)
                default: damaged.append(contentsOf: damaged[index..<min(damaged.count, index + 40)])
                }
            }
            var receipt = genuine
            receipt.parts.certificates = BER.element(0xa0, damaged)
            guard let read = try? ReadReceipt(receipt.parts.bytes) else { continue }
            let found = try read.verify(with: verifier)
            verdicts[found.verdict, default: 0] += 1
            guard found.verdict == .trusted else { continue }
            #expect(essence.allSatisfy { Self.holds($0, damaged) }, "seed \(seed), round \(round)")
        }
        // They get as far as chains and signatures, not only to the parser.
        #expect(verdicts[.brokenChain, default: 0] > Self.rounds / 15, "\(verdicts)")
    }

    @Test("of a transaction receipt's signer leave it trusted only with all that is signed of it")
    func survivesMutationsOfBlobs() throws {
        let store = try LegacyStore()
        let info = Array("{ transaction-id = 1; }".utf8)
        let genuine = try store.blob(over: info)
        let essence = try Self.essence(of: store.signer, isPinned: false)
        var issuers = CertificatePool()
        try issuers.insertCertificates(of: store.intermediate)
        let verifier = try TransactionVerifier(anchors: TrustAnchors(files: store.root), issuers: issuers)
        let date = Int64(Date().timeIntervalSince1970 * 1000) + 1000

        let seed = UInt64.random(in: 0 ... .max)
        print("let blobSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        var verified = 0
        for round in 0..<Self.rounds {
            // Behind the signature, whose changes are bad signatures one and all;
            // the certificate's length is corrected, or else is a fault of its own.
            let isSigner = round % 4 > 0
            var blob = genuine
            let start = isSigner ? 133 : 0
            let index = Int.random(in: start..<blob.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: blob[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: blob.insert(.random(in: 0 ... .max, using: &random), at: index)
            default: blob.remove(at: index)
            }
            if isSigner {
                let count = blob.count - 133
                blob.replaceSubrange(129..<133, with: [0, 0, UInt8(count >> 8), UInt8(count & 0xff)])
            }
            var reader = ByteReader(blob.span)
            guard let parsed = try? SignatureBlob(parsing: &reader) else { continue }
            let bytes = blob + info
            let range = ByteRange(offset: blob.count, count: info.count)
            let found = try verifier.verify(parsed, of: range, in: bytes.span, purchasedAt: date)
            verified += 1
            guard found.verdict == .trusted else { continue }
            let isWhole = Self.holds(essence, blob) && blob.starts(with: genuine.prefix(129))
            #expect(isWhole, "seed \(seed), round \(round)")
        }
        #expect(verified > Self.rounds / 2)
    }
}
