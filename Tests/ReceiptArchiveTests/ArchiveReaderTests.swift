import Foundation
import MillTestSupport
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive

@Suite("Reading an archive")
struct ArchiveReaderTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    struct ReadResult {
        var text: [UInt8] = []
        var overlong: [Int] = []
        var damage: String?
    }

    /// All that the reader hands on.
    static func read(
        _ bytes: [UInt8], in workdir: Workdir, skipping: Int64 = 0, limits: Limits = Limits(),
        batchSize: Int = ArchiveReader.defaultBatchSize, method: ByteSource.Method = ByteSource.Method()
    ) throws -> ReadResult {
        let path = try workdir.write(bytes, to: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: path) }
        var reader = try ArchiveReader(
            file: try InputFile(path: path), skippingLines: skipping, limits: limits, batchSize: batchSize,
            method: method)
        var outcome = ReadResult()
        while let content = try reader.next() {
            switch content {
            case .lines(let text): outcome.text += text
            case .overlongLine(let bytes): outcome.overlong.append(bytes)
            }
        }
        outcome.damage = reader.damage
        return outcome
    }

    /// Lines of numbers, of all lengths up to some hundreds.
    static func sampleText(lines: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 7)
        var text: [UInt8] = []
        for line in 0..<lines {
            text += Array("\(line) ".utf8)
            for _ in 0..<Int.random(in: 0...300, using: &random) { text.append(.random(in: 33...126, using: &random)) }
            text.append(10)
        }
        return text
    }

    static func wholeLines(_ text: [UInt8]) -> [UInt8] {
        text.lastIndex(of: 10).map { Array(text[...$0]) } ?? []
    }

    @Test("takes plain text and gzip by their content", arguments: [1 << 18, 64, 7])
    func recognisesByContent(batchSize: Int) throws {
        let text = Self.sampleText(lines: 60)
        let half = text.count / 2
        let (first, second) = (Array(text[..<half]), Array(text[half...]))
        let whole = try Gzip.compress(text, in: workdir)
        let empty = try Gzip.compress([], in: workdir)
        let members = try Gzip.compress(first, in: workdir) + Gzip.compress(second, "-1", in: workdir)
        let forms: [(String, [UInt8])] = [
            ("plain", text), ("gzip", whole), ("two members", members),
            ("empty members", empty + members + empty + empty),
            ("zeros behind", whole + [UInt8](repeating: 0, count: 700)),
        ]
        for (name, bytes) in forms {
            let outcome = try Self.read(bytes, in: workdir, batchSize: batchSize)
            #expect(outcome.text == text, "\(name)")
            #expect(outcome.damage == nil, "\(name)")
        }
    }

    @Test("does not depend on how much is read at once", arguments: [4, 5, 6, 7, 19, 1_000])
    func readsInPieces(inputCapacity: Int) throws {
        let text = Self.sampleText(lines: 40)
        let first = try Gzip.compress(text, in: workdir)
        let second = try Gzip.compress(Array("last\n".utf8), in: workdir)
        let zeros = [UInt8](repeating: 0, count: 30)
        // RFC 1952, 2.3.1: the fourth octet is FLG, whose three high bits are reserved.
        let reserved = Array(second[..<3]) + [0x20] + second[4...]
        let method = ByteSource.Method(inputCapacity: inputCapacity)
        for (bytes, wanted, damage) in [
            (text, text, nil), (first + second, text + Array("last\n".utf8), nil),
            (first + zeros + second + zeros, text + Array("last\n".utf8), nil),
            (first + reserved, text, "unknown header flags set"), (reserved, [], "unknown header flags set"),
        ] as [([UInt8], [UInt8], String?)] {
            let outcome = try Self.read(bytes, in: workdir, method: method)
            #expect(outcome.text == wanted)
            #expect(outcome.damage == damage)
        }
    }

    /// Found by fuzzing: a pipe may give a few bytes at once.
    @Test("tells a form that is not read however it is cut", arguments: [1, 2, 3, 5, 7, 1 << 17])
    func foreignForms(inputCapacity: Int) throws {
        // The beginnings of xz, zstd, bzip2, lz4, zip and UTF-16.
        let beginnings: [[UInt8]] = [
            [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], [0x28, 0xb5, 0x2f, 0xfd], Array("BZh91AY".utf8),
            [0x04, 0x22, 0x4d, 0x18], [0x50, 0x4b, 0x03, 0x04], [0x7b, 0x00, 0x22],
        ]
        for beginning in beginnings {
            let bytes = beginning + Array(" and what follows\n".utf8)
            for form in [bytes, try Gzip.compress(bytes, in: workdir)] {
                for inflater in Self.inflaters {
                    let method = ByteSource.Method(inflater: inflater, inputCapacity: inputCapacity)
                    let error = #expect(throws: MillError.self, "\(beginning)") {
                        try Self.read(form, in: workdir, method: method)
                    }
                    #expect(error?.what.contains("only gzip and plain UTF-8 are read") == true)
                }
            }
        }
    }

    @Test("reads stored blocks")
    func readsStoredBlocks() throws {
        var random = SeededGenerator(seed: 1)
        let noise = (0..<30_000).map { _ in UInt8.random(in: 0...255, using: &random) } + [10]
        let compressed = try Gzip.compress(noise, in: workdir)
        #expect(compressed.count > noise.count, "not stored")
        #expect(try Self.read(compressed, in: workdir).text == noise)
    }

    @Test("finds nothing in an empty file, and nothing wrong with it")
    func emptyFiles() throws {
        for bytes in [[], try Gzip.compress([], in: workdir)] {
            let outcome = try Self.read(bytes, in: workdir)
            #expect(outcome.text.isEmpty && outcome.damage == nil)
        }
    }

    @Test("keeps the last line where no newline ends it")
    func lastLineWithoutNewline() throws {
        for bytes in [Array("a\nb".utf8), try Gzip.compress(Array("a\nb".utf8), in: workdir)] {
            #expect(try Self.read(bytes, in: workdir).text == Array("a\nb".utf8))
        }
    }

    @Test("loses no line to garbage behind the last member, and says that it is there")
    func garbageBehindTheLastMember() throws {
        let text = Self.sampleText(lines: 20)
        let compressed = try Gzip.compress(text, in: workdir)
        for garbage in [Array("garbage".utf8), [0, 0, 0, 1], [0x1f, 0x8c, 8, 0], [0x1f]] {
            let outcome = try Self.read(compressed + garbage, in: workdir)
            #expect(outcome.text == text)
            #expect(outcome.damage != nil, "\(garbage)")
        }
    }

    @Test("cut anywhere, hands on the whole lines that gzip's tool recovers")
    func cutAnywhere() throws {
        let text = Self.sampleText(lines: 120)
        let third = text.count / 3
        let first = try Gzip.compress(Array(text[..<third]), in: workdir)
        let compressed = try first + Gzip.compress(Array(text[third...]), in: workdir)
        var random = SeededGenerator(seed: 3)
        var cuts = [2, 3, 9, 10, 11, 18, first.count - 8, first.count - 1, first.count + 1, first.count + 10]
        cuts += [compressed.count - 8, compressed.count - 1]
        for _ in 0..<25 { cuts.append(.random(in: 2..<compressed.count, using: &random)) }
        for cut in cuts where cut != first.count {
            let part = Array(compressed[..<cut])
            let recovered = try Gzip.recover(part, in: workdir)
            #expect(recovered.status != 0)
            for batchSize in [1 << 18, 500, 16] {
                let outcome = try Self.read(part, in: workdir, batchSize: batchSize)
                #expect(outcome.text == Self.wholeLines(recovered.output), "cut at \(cut)")
                #expect(outcome.damage?.contains("cut short") == true, "cut at \(cut)")
            }
        }
        // Between two members nothing tells that another should follow.
        let outcome = try Self.read(first, in: workdir)
        #expect(outcome.damage == nil && outcome.text == Array(text[..<third]))
    }

    @Test("with a flipped bit, hands on the lines before it, and says that it is damaged")
    func flippedBits() throws {
        let text = Self.sampleText(lines: 100)
        let compressed = try Gzip.compress(text, in: workdir)
        var random = SeededGenerator(seed: 4)
        for _ in 0..<30 {
            var damaged = compressed
            let place = Int.random(in: 10..<damaged.count, using: &random)
            damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            let recovered = try Gzip.recover(damaged, in: workdir)
            let outcome = try Self.read(damaged, in: workdir)
            #expect((outcome.damage == nil) == (recovered.status == 0), "byte \(place)")
            // The two notice the fault at different places, and agree up to there.
            let told = Self.wholeLines(recovered.output)
            let agrees = outcome.text.starts(with: told) || told.starts(with: outcome.text)
            #expect(agrees, "byte \(place)")
        }
    }

    /// Those of this build.
    private static var inflaters: [any Inflater.Type] {
        #if ISAL
            [ZlibInflater.self, ISALInflater.self]
        #else
            [ZlibInflater.self]
        #endif
    }

    @Test("ends at a wrong checksum, whatever follows", arguments: [4, 5, 17, 1 << 17])
    func wrongChecksum(inputCapacity: Int) throws {
        let text = Self.sampleText(lines: 40)
        let half = try #require(text[..<(text.count / 2)].lastIndex(of: 10)) + 1
        var first = try Gzip.compress(Array(text[..<half]), in: workdir)
        first[first.count - 8] ^= 1
        let archive = try first + Gzip.compress(Array(text[half...]), in: workdir)
        for inflater in Self.inflaters {
            for batchSize in [1 << 18, 500, 16] {
                let method = ByteSource.Method(inflater: inflater, inputCapacity: inputCapacity)
                let outcome = try Self.read(archive, in: workdir, batchSize: batchSize, method: method)
                #expect(outcome.text == Array(text[..<half]), "\(inflater)")
                #expect(outcome.damage == "incorrect data check", "\(inflater)")
            }
        }
    }

    // MARK: Headers

    /// Members "flags 0" to "flags 31" with the optional fields that these flags
    /// announce, by Python's zlib and struct; Python's gzip and gzip's own tool read
    /// them.
    private static let everyHeader = [
        "H4sIAAAAAAAAA0vLSUwvVjDgAgAZsV6pCAAAAB+LCAEAAAAAAANLy0lML1Yw5AIAWIBFsAgAAAAfiwgCAAAA",
        "AAADp3dLy0lML1Yw4gIAm9NomwgAAAAfiwgDAAAAAAADE3xLy0lML1Yw5gIA2uJzgggAAAAfiwgEAAAAAAAD",
        "BgBCQwIAYWJLy0lML1Yw4QIAHXQyzQgAAAAfiwgFAAAAAAADBgBCQwIAYWJLy0lML1Yw5QIAXEUp1AgAAAAf",
        "iwgGAAAAAAADBgBCQwIAYWLXjUvLSUwvVjDjAgCfFgT/CAAAAB+LCAcAAAAAAAMGAEJDAgBhYj9WS8tJTC9W",
        "MOcCAN4nH+YIAAAAH4sICAAAAAAAA25hbWUuanNvbmwAS8tJTC9WsOACABE7h2EIAAAAH4sICQAAAAAAA25h",
        "bWUuanNvbmwAS8tJTC9WsOQCAFAKnHgIAAAAH4sICgAAAAAAA25hbWUuanNvbmwAjUJLy0lML1YwNOACAKxE",
        "fnIJAAAAH4sICwAAAAAAA25hbWUuanNvbmwAbPRLy0lML1YwNOQCAO11ZWsJAAAAH4sIDAAAAAAAAwYAQkMC",
        "AGFibmFtZS5qc29ubABLy0lML1YwNOICAC4mSEAJAAAAH4sIDQAAAAAAAwYAQkMCAGFibmFtZS5qc29ubABL",
        "y0lML1YwNOYCAG8XU1kJAAAAH4sIDgAAAAAAAwYAQkMCAGFibmFtZS5qc29ubAChuUvLSUwvVjA04QIAqIES",
        "FgkAAAAfiwgPAAAAAAADBgBCQwIAYWJuYW1lLmpzb25sADYfS8tJTC9WMDTlAgDpsAkPCQAAAB+LCBAAAAAA",
        "AAN3aHkAS8tJTC9WMDTjAgAq4yQkCQAAAB+LCBEAAAAAAAN3aHkAS8tJTC9WMDTnAgBr0j89CQAAAB+LCBIA",
        "AAAAAAN3aHkAz9pLy0lML1YwtOACAKTOp7oJAAAAH4sIEwAAAAAAA3doeQAPBUvLSUwvVjC05AIA5f+8owkA",
        "AAAfiwgUAAAAAAADBgBCQwIAYWJ3aHkAS8tJTC9WMDLgAgD1+jhwCQAAAB+LCBUAAAAAAAMGAEJDAgBhYndo",
        "eQBLy0lML1YwMuQCALTLI2kJAAAAH4sIFgAAAAAAAwYAQkMCAGFid2h5AKANS8tJTC9WMDLiAgB3mA5CCQAA",
        "AB+LCBcAAAAAAAMGAEJDAgBhYndoeQD4jUvLSUwvVjAy5gIANqkVWwkAAAAfiwgYAAAAAAADbmFtZS5qc29u",
        "bAB3aHkAS8tJTC9WMDLhAgDxP1QUCQAAAB+LCBkAAAAAAANuYW1lLmpzb25sAHdoeQBLy0lML1YwMuUCALAO",
        "Tw0JAAAAH4sIGgAAAAAAA25hbWUuanNvbmwAd2h5ABKjS8tJTC9WMDLjAgBzXWImCQAAAB+LCBsAAAAAAANu",
        "YW1lLmpzb25sAHdoeQDSx0vLSUwvVjAy5wIAMmx5PwkAAAAfiwgcAAAAAAADBgBCQwIAYWJuYW1lLmpzb25s",
        "AHdoeQBLy0lML1YwsuACAP1w4bgJAAAAH4sIHQAAAAAAAwYAQkMCAGFibmFtZS5qc29ubAB3aHkAS8tJTC9W",
        "MLLkAgC8QfqhCQAAAB+LCB4AAAAAAAMGAEJDAgBhYm5hbWUuanNvbmwAd2h5AHiwS8tJTC9WMDbgAgDCkPpx",
        "CQAAAB+LCB8AAAAAAAMGAEJDAgBhYm5hbWUuanNvbmwAd2h5AHBTS8tJTC9WMDbkAgCDoeFoCQAAAA==",
    ].joined()

    @Test("reads headers with any fields, however they are cut", arguments: [2, 3, 5, 7, 11, 16, 29, 64, 1 << 17])
    func headers(inputCapacity: Int) throws {
        let archive = try #require(Data(base64Encoded: Self.everyHeader))
        for inflater in Self.inflaters {
            let method = ByteSource.Method(inflater: inflater, inputCapacity: inputCapacity)
            let outcome = try Self.read([UInt8](archive), in: workdir, method: method)
            #expect(outcome.text == Array((0..<32).map { "flags \($0)\n" }.joined().utf8), "\(inflater)")
            #expect(outcome.damage == nil, "\(inflater)")
        }
    }

    /// Found by fuzzing: all optional fields, and a header's checksum that is wrong.
    @Test("refuses a header's wrong checksum, however it is cut", arguments: [2, 4, 8, 13, 1 << 17])
    func headerChecksum(inputCapacity: Int) throws {
        let member = try #require(Data(base64Encoded: "H4sIH4sC+QAAIAAAAAIZAAAAAwAAAAAAAAAAAAA="))
        for inflater in Self.inflaters {
            let method = ByteSource.Method(inflater: inflater, inputCapacity: inputCapacity)
            let outcome = try Self.read([UInt8](member), in: workdir, method: method)
            #expect(outcome.text.isEmpty)
            #expect(outcome.damage == "header crc mismatch", "\(inflater)")
        }
    }

    /// An empty member, found by fuzzing: the distance codes of its only block leave
    /// bits without a meaning. Nothing of it becomes text, damage or not.
    @Test("takes no text from a member whose codes are incomplete", arguments: [4, 7, 20, 1 << 17])
    func incompleteCodes(inputCapacity: Int) throws {
        let member = try #require(
            Data(
                base64Encoded: "H4sIAAAAAAACA8WS307CMBSH73mKpbes5qzbZNtd6RAHoplCDIgho6t1kTEc6yQS3t3W"
                    + "PzE+gTpJ06S/c772fAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="))
        for inflater in Self.inflaters {
            let method = ByteSource.Method(inflater: inflater, inputCapacity: inputCapacity)
            let outcome = try Self.read([UInt8](member), in: workdir, method: method)
            #expect(outcome.text.isEmpty, "\(inflater)")
            if inflater is ZlibInflater.Type { #expect(outcome.damage == "invalid distances set") }
        }
    }

    /// By RFC 1951 in fixed codes: "line\n", then three octets from 32,768 before,
    /// then a newline. zlib finds the fault; gzip's tool reads zeros there, for
    /// which the checksum is right.
    @Test("finds damage where a reference leads before the text", arguments: [4, 5, 7, 13, 20, 1 << 17])
    func referenceBeforeTheText(inputCapacity: Int) throws {
        let deflated: [UInt8] = [0xcb, 0xc9, 0xcc, 0x4b, 0xe5, 0x02, 0xde, 0xff, 0xcf, 0x05, 0x00]
        let archive = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + deflated + [0x60, 0x85, 0x2f, 0xba] + [9, 0, 0, 0]
        for inflater in Self.inflaters {
            let method = ByteSource.Method(inflater: inflater, inputCapacity: inputCapacity)
            let outcome = try Self.read(archive, in: workdir, method: method)
            #expect(outcome.text == Array("line\n".utf8), "\(inflater)")
            #expect(outcome.damage == "invalid distance too far back", "\(inflater)")
        }
    }

    @Test("passes over lines that are too long, and keeps their neighbours", arguments: [64, 1 << 18])
    func overlongLines(batchSize: Int) throws {
        var limits = Limits()
        limits.lineBytes = 100
        let long = [UInt8](repeating: 65, count: 5_000)
        let text = Array("a\n".utf8) + long + [10] + Array("b\n".utf8) + long
        let outcome = try Self.read(text, in: workdir, limits: limits, batchSize: batchSize)
        // In a large batch the line is cut out whole, and read by its decoder.
        #expect(outcome.overlong == (batchSize == 64 ? [5_000, 5_000] : []))
        #expect(outcome.text == (batchSize == 64 ? Array("a\nb\n".utf8) : text))
    }

    @Test("does not count a line that is too long and cut by damage")
    func overlongLineCutByDamage() throws {
        var limits = Limits()
        limits.lineBytes = 100
        let text = Array("a\n".utf8) + Self.sampleText(lines: 50).filter { $0 != 10 }
        let compressed = try Gzip.compress(text, in: workdir)
        let outcome = try Self.read(Array(compressed.dropLast(40)), in: workdir, limits: limits, batchSize: 64)
        #expect(outcome.text == Array("a\n".utf8))
        #expect(outcome.overlong.isEmpty)
        #expect(outcome.damage != nil)
    }

    @Test("goes on behind the lines that were loaded before", arguments: [4, 1 << 18])
    func skipsLoadedLines(batchSize: Int) throws {
        let text = Array("one\ntwo\n\nfour\nfive".utf8)
        let rests = ["one\ntwo\n\nfour\nfive", "two\n\nfour\nfive", "\nfour\nfive", "four\nfive", "five", "", ""]
        for (count, rest) in rests.enumerated() {
            let outcome = try Self.read(text, in: workdir, skipping: Int64(count), batchSize: batchSize)
            #expect(String(decoding: outcome.text, as: UTF8.self) == rest, "\(count) lines")
        }
    }

    @Test("stops where the text is beyond all measure larger than the file")
    func inflationLimit() throws {
        let compressed = try Gzip.compress([UInt8](repeating: 48, count: 40 << 20), in: workdir)
        let path = try workdir.write(compressed, to: "zeros.gz")
        var room = [UInt8](repeating: 0, count: 1 << 20)
        for (limit, expected) in [(100, ByteSource.ReadResult.damaged("")), (2_000, .end)] {
            var source = try ByteSource(file: try InputFile(path: path), inflationLimit: limit)
            var produced = 0
            var outcome = ByteSource.ReadResult.end
            while true {
                outcome = try room.withUnsafeMutableBytes { try source.read(into: $0) }
                guard case .produced(let count) = outcome else { break }
                produced += count
            }
            if case .damaged(let reason) = outcome {
                #expect(reason.contains("100 times") && limit == 100)
                #expect(produced < 20 << 20)
            } else {
                #expect(outcome == expected && produced == 40 << 20)
            }
        }
    }
}
