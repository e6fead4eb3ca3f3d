import Foundation
import ReceiptTrust
import SignedDataFormat
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification

/// Signed strings that were changed at random. RECEIPTMILL_MUTATIONS=100000 says how
/// many there are.
@Suite("A signed string changed at random")
struct MutatedSignedStringTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["RECEIPTMILL_MUTATIONS"].flatMap(Int.init)
        ?? Nightly.rounds(day: 2_000, night: 1_000_000)

    /// What base64url and JSON read much into.
    private static let telling = Array(".=-_+/AQgw \t\"\\{}[],:0e".utf8)

    private static func mutate(_ text: inout [UInt8], _ random: inout SeededGenerator, letters: [UInt8]) {
        for _ in 0...Int.random(in: 0...2, using: &random) where !text.isEmpty {
            let place = Int.random(in: text.indices, using: &random)
            let byte = letters[Int.random(in: letters.indices, using: &random)]
            let end = min(text.count, place + Int.random(in: 1...48, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: text[place] ^= 1 << UInt8.random(in: 0..<7, using: &random)
            case 1: text[place] = byte
            case 2: text.insert(byte, at: place)
            case 3: text.insert(contentsOf: text[place..<end], at: place)
            case 4: text.swapAt(place, Int.random(in: text.indices, using: &random))
            default: text.removeSubrange(place..<end)
            }
        }
    }

    /// A published string, taken apart once: a million are made of them.
    private struct Original {
        let text: [UInt8]
        let parts: [[UInt8]]
        let decoded: [[UInt8]]

        init(_ name: String) throws {
            let text = try SignedCorpus.text(name)
            self.text = Array(text.utf8)
            let texts = text.split(separator: ".").map(String.init)
            parts = texts.map { Array($0.utf8) }
            decoded = try texts.map { Array(try #require(Data(base64URL: $0))) }
        }

        /// Header, full stop and payload.
        var signingInput: [UInt8] { parts[0] + [UInt8(ascii: ".")] + parts[1] }
    }

    private static let letters = telling + Array("ABCXYZabcxyz019".utf8)

    /// The text of one change: of the characters, or of what one of the parts encodes, or
    /// with a part of another string.
    private static func changed(
        _ original: Original, _ other: Original, _ random: inout SeededGenerator
    ) -> [UInt8] {
        guard Int.random(in: 0..<3, using: &random) > 0 else {
            var text = original.text
            mutate(&text, &random, letters: letters)
            return text
        }
        var parts = original.parts
        let part = Int.random(in: 0..<3, using: &random)
        if Int.random(in: 0..<8, using: &random) == 0 {
            parts[part] = other.parts[part]
        } else {
            var bytes = original.decoded[part]
            mutate(&bytes, &random, letters: telling)
            parts[part] = Array(SignedStringParts.base64URL(bytes).utf8)
        }
        return parts[0] + [UInt8(ascii: ".")] + parts[1] + [UInt8(ascii: ".")] + parts[2]
    }

    /// Whether a text says the same as one of the originals: it is that, or that with
    /// n - s in place of s.
    private static func isKnown(_ text: [UInt8], _ signed: [[UInt8]: [UInt8]]) -> Bool {
        guard let stop = text.lastIndex(of: UInt8(ascii: ".")), let genuine = signed[Array(text[..<stop])],
            let signature = Data(base64URL: String(decoding: text[(stop + 1)...], as: UTF8.self))
        else { return false }
        let bytes = Array(signature)
        return bytes == genuine
            || bytes.count == 64 && Array(bytes[32...]) == P256Order.complement(Array(genuine[32...]))
                && bytes[..<32] == genuine[..<32]
    }

    @Test("is never trusted, and ends as documents and rejections", .enabled(if: SignedCorpus.isPresent))
    func neverTrusted() throws {
        let originals = try SignedCorpus.names().map { try Original($0) }
        let signed = Dictionary(
            originals.map { ($0.signingInput, $0.decoded[2]) }, uniquingKeysWith: { first, _ in first })
        // What the strings hold, which stays what it is where the rest was changed.
        var held: Set<String> = []
        for name in SignedCorpus.names() {
            held.formUnion(try SignedCorpus.expectation(name).inner.values.map(\.sha256))
        }
        let verifier = try LineVerifier(
            keys: LineKeys(), limits: Limits(), anchors: .apple, issuers: CertificatePool(), known: nil)
        let seed = UInt64.random(in: 0 ... .max)
        print("let mutatedStringSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        var (read, unchanged) = (0, 0)
        for round in 0..<Self.rounds {
            let original = originals[round % originals.count]
            let other = originals[Int.random(in: originals.indices, using: &random)]
            let text = Self.changed(original, other, &random)
            let verified = try verifier.verify(LineBatch(sequence: round, content: .lines(text)))
            guard verified.submissions.count + verified.rejections.count >= 1 || text.isEmpty else {
                Issue.record("lost a line: seed \(seed), round \(round)")
                continue
            }
            if !verified.receipts.isEmpty { read += 1 }
            for receipt in verified.receipts where receipt.verification.verdict == .trusted {
                if held.contains(receipt.digest.hex), verified.parts.contains(where: { $0.document == receipt.digest })
                {
                    continue
                }
                // White space around a bare string is none of it.
                let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
                let known = lines.contains { line in
                    Self.isKnown(Array(line.trimmingCharacters(in: .whitespacesAndNewlines).utf8), signed)
                }
                if known { unchanged += 1 } else { Issue.record("trusted: seed \(seed), round \(round)") }
            }
        }
        #expect(read > Self.rounds / 10 && unchanged < Self.rounds / 5)
    }
}
