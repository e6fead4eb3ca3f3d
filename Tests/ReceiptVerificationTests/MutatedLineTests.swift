import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive
@testable import ReceiptVerification

/// Lines with receipts that were changed at random, verified as a load verifies them.
///
/// RECEIPTMILL_MUTATIONS=1000000 makes a million of them, and looks at the
/// process's memory, too: run this suite alone then (`--filter MutatedLineTests`).
@Suite("A line with a receipt changed at random")
struct MutatedLineTests {
    private static let chosenRounds = ProcessInfo.processInfo.environment["RECEIPTMILL_MUTATIONS"].flatMap(Int.init)

    /// Nothing was loaded before.
    private struct EmptyDatabase: ReceiptLookup {
        func storedReceipts(_ digests: [SHA256Digest]) throws(MillError) -> [Int64?] { digests.map { _ in nil } }
    }

    private static func originals() throws -> [[UInt8]] { try Corpus.names().map { try Corpus.receipt($0) } }

    /// What ASN.1, property lists and JSON read much into.
    private static let telling: [UInt8] =
        [0x00, 0x02, 0x04, 0x1f, 0x24, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x84, 0x88, 0xa0, 0xff] + Array("\"\\{}=;/\n".utf8)

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            let isTelling = Bool.random(using: &random)
            let byte = isTelling ? telling.randomElement(using: &random) ?? 0 : .random(in: 0 ... .max, using: &random)
            let end = min(bytes.count, place + Int(byte % 64) + 1)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = byte
            case 2: bytes.insert(byte, at: place)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes.removeSubrange(place..<end)
            }
        }
    }

    /// A seventh of the lines are changed themselves, the others in the receipt.
    private static func line(with original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var receipt = original
        let isLineChanged = Int.random(in: 0..<7, using: &random) == 0
        if !isLineChanged { mutate(&receipt, &random) }
        let text = Data(receipt).base64EncodedString()
        var line = Array(
            """
            {"receipt":"\(text)","device_id":"8C58A1B3-03A2-4043-9C11-F86285449DC5","account_id":"a",\
            "submitted_at":"2024-02-29T12:00:00Z"}
            """.utf8)
        if isLineChanged { mutate(&line, &random) }
        return line
    }

    /// Seconds that this thread has worked: a busy machine is no fault of the verifier's.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Bytes of memory that the process holds (proc(5), statm); nil elsewhere.
    private static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
    }

    @Test("ends as submissions and rejections within 100 ms, and leaves nothing in memory")
    func endsSoon() throws {
        let known = KnownReceipts(startedEmpty: true)
        let verifier = try LineVerifier(
            keys: LineKeys(), limits: Limits(), anchors: .apple, issuers: CertificatePool(),
            known: (known, EmptyDatabase()))
        let originals = try Self.originals()
        let seed = UInt64.random(in: 0 ... .max)
        print("let mutatedLineSeed: UInt64 = \(seed)")
        var random = SeededGenerator(seed: seed)
        let rounds = Self.chosenRounds ?? Nightly.rounds(day: 1_000, night: 2_000)
        // A debug build under a sanitizer takes many times as long.
        let allowed = Self.chosenRounds == nil ? 1 : 0.1
        var (slowest, submissions, memory) = (0.0, 0, Self.residentBytes)
        for round in 0..<rounds {
            // What is kept on purpose is kept by now: chains, verification contexts.
            if round == rounds / 10 { memory = Self.residentBytes }
            let text = Self.line(with: originals[round % originals.count], &random)
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let start = Self.processorTime
            let verified = try verifier.verify(LineBatch(sequence: round, content: .lines(text)))
            known.forget(upTo: round)
            let time = Self.processorTime - start
            slowest = max(slowest, time)
            #expect(time < allowed, "seed \(seed), round \(round)")
            // A newline that ends the text begins no line.
            let count = lines.count - (lines.last?.isEmpty == true ? 1 : 0)
            guard verified.submissions.count + verified.rejections.count == count, verified.lineCount == count else {
                Issue.record("lost a line: seed \(seed), round \(round)")
                continue
            }
            submissions += verified.submissions.count
        }
        // They get beyond the parser, and not all of them.
        #expect(submissions > rounds / 20 && submissions < rounds)
        guard Self.chosenRounds != nil, let memory, let now = Self.residentBytes else { return }
        print("\(rounds) lines, \(submissions) submissions, slowest \(slowest) s, \(now - memory) bytes more")
        #expect(now - memory < 16 << 20)
    }
}
