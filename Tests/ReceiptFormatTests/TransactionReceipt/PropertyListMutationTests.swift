import Foundation
import ReceiptFormat
import TestSupport
import Testing

/// Damaged transaction receipts are read or refused; nothing else may happen,
/// and soon.
@Suite("A damaged transaction receipt")
struct PropertyListMutationTests {
    private static let info = """
        {
        \t"original-purchase-date-pst" = "2012-05-02 16:06:40 America/Los_Angeles";
        \t"transaction-id" = "170000000000001";
        \t'bid' = 'com.example.app'; bvrs = 1.0; /* a comment */ // and another
        \t"product-id" = "com.example.\\U00e9\\ud83d\\"gold\\101";
        \t"quantity" = "1"; "purchase-date-ms" = "1336000000000"; nested = { a = { b = c; }; };
        }
        """

    private static func originals() -> [[UInt8]] {
        let encoded = Data(info.utf8).base64EncodedString()
        let envelope = """
            {
            \t"signature" = "\(Data([UInt8](repeating: 2, count: 140)).base64EncodedString())";
            \t"purchase-info" = "\(encoded)";
            \t"environment" = "Sandbox"; pod = 100; "signing-status" = "0";
            }
            """
        let blob = [2] + [UInt8](repeating: 9, count: 128) + [0, 0, 0, 4, 0x30, 2, 5, 0]
        return [Array(info.utf8), Array(envelope.utf8), blob]
    }

    /// Reads bytes as all that they could be, and checks what must hold of any.
    private func read(_ bytes: [UInt8]) -> String? {
        var list = ByteReader(bytes.span)
        let whole = try? PropertyList(parsing: &list)
        var members: [PropertyList.Member] = []
        var again = ByteReader(bytes.span)
        let isWhole = (try? PropertyList.read(&again, into: &members)) != nil
        guard (whole != nil) == isWhole else { return "parser and listing differ on whether it is read" }
        if let whole, whole.members != members { return "parser and listing differ" }
        for member in members {
            guard member.written.end <= bytes.count, member.key.end <= member.written.offset else { return "no range" }
            guard let value = member.value else { continue }
            guard let text = try? ByteReader(bytes.span).unescaped(value) else { return "an escape that is not read" }
            guard UTF8Validation.isValid(text.span, in: ByteRange(offset: 0, count: text.count)), !text.contains(0)
            else { return "no text" }
        }
        do throws(MalformedReceipt) {
            var reader = ByteReader(bytes.span)
            let receipt = try TransactionReceipt(parsing: &reader)
            if receipt.transactionIdentifier.range.isEmpty { return "no transaction" }
        } catch {
            _ = error.description
        }
        var envelope = ByteReader(bytes.span)
        if let parsed = try? TransactionEnvelope(parsing: &envelope), parsed.signature.range.isEmpty {
            return "unsigned"
        }
        var blob = ByteReader(bytes.span)
        if let parsed = try? SignatureBlob(parsing: &blob), parsed.certificate.end != bytes.count { return "not whole" }
        return nil
    }

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

    @Test("with bytes changed, added, moved or taken away is read or refused within 100 ms")
    func survivesMutations() {
        let seed = UInt64.random(in: 0 ... .max)
        print("let listSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        let significant = Array("{}=;\"'\\U/* :\n01".utf8) + [0x00, 0x80, 0xc3, 0xff]
        let originals = Self.originals()
        for round in 0..<Nightly.rounds(day: 2_000, night: 6_000) {
            var bytes = originals[round % originals.count]
            for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &random)
                let byte = significant.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[index] = byte
                case 2: bytes.insert(byte, at: index)
                case 3: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 60)], at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + 1 + Int(byte % 16)))
                }
            }
            let mutant = bytes
            var broken: String?
            let time = seconds { broken = read(mutant) }
            #expect(broken == nil, "seed \(seed), round \(round): \(broken ?? "")")
            #expect(time < 0.1, "seed \(seed), round \(round)")
        }
    }

    @Test("cut anywhere is refused, unless only white space is lost")
    func refusesEveryTruncation() {
        let original = Self.originals()[0]
        for count in 0..<original.count {
            let cut = Array(original.prefix(count))
            #expect(
                fault {
                    var reader = ByteReader(cut.span)
                    return try PropertyList(parsing: &reader)
                } != nil, "cut after \(count) bytes")
        }
    }

    @Test("of as many bytes as are allowed, made to be slow, is refused soon")
    func survivesBombs() {
        let room = PropertyList.maximumCount
        for unit in ["{a=", "a=b;", "/*", "/**/", "\"", "\\", "'\\U", " ", "{a={};", "{a=b;b=c;"] {
            let text = "{" + String(repeating: unit, count: (room - 2) / unit.utf8.count)
            let bytes = Array(text.utf8)
            // Five readings, unoptimised and perhaps under a sanitizer; work that grew
            // with the square of the length would take minutes.
            let time = seconds { _ = read(bytes) }
            #expect(time < 1, "\(unit)")
        }
    }
}
