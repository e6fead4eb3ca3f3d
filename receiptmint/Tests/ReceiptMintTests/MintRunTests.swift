import Foundation
import Testing

@testable import ReceiptMint

struct MintRunTests {
    @Test("the same seed gives the same bytes, whatever the number of threads")
    func repeats() throws {
        var parameters = MintParameters.small(560, seed: 7)
        parameters.archives = 2
        let first = try files(parameters)
        parameters.jobs = 3
        #expect(try files(parameters) == first)
        // Runs of one process share the keys of a seed.
        #expect(try Authority(seed: 7).root == Authority.shared(seed: 7).root)
    }

    @Test("another seed gives other archives and another anchor")
    func differs() throws {
        let first = try files(.small(60, seed: 1))
        let second = try files(.small(60, seed: 2))
        #expect(first["receipts-001.jsonl.gz"] != second["receipts-001.jsonl.gz"])
        #expect(first["root.pem"] != second["root.pem"])
    }

    @Test("what is written is what is announced, with one trust anchor")
    func announced() throws {
        var parameters = MintParameters.small(50)
        parameters.archives = 3
        let files = try files(parameters)
        #expect(Set(files.keys) == Set(MintRun(parameters).fileNames))
        #expect(files.keys.filter { $0.hasSuffix(".pem") } == ["root.pem"])
    }

    @Test("files that stand there are kept unless they are to be replaced")
    func keepsFiles() throws {
        try withTemporaryFolder { folder in
            let mint = MintRun(.small(20))
            _ = try mint.run(into: folder)
            #expect(throws: MintError.self) { try mint.run(into: folder) }
            _ = try mint.run(into: folder, replacing: true)
        }
    }

    @Test("gzip reads archives of one member and of many, and finds every line", arguments: [0, 1, 37])
    func gzipReads(linesPerMember: Int) throws {
        try withTemporaryFolder { folder in
            var parameters = MintParameters.small(150)
            parameters.linesPerMember = linesPerMember
            parameters.archives = 2
            let truth = try MintRun(parameters).run(into: folder)
            var lines = 0
            for archive in truth.archives {
                #expect(try run("gzip", ["-t", archive.name], in: folder).status == 0)
                let text = try run("gzip", ["-dc", archive.name], in: folder).output
                let count = text.count { $0 == UInt8(ascii: "\n") }
                #expect(count == archive.lines)
                lines += count
            }
            #expect(lines == 150)
        }
    }

    @Test("the truth read back is the truth returned")
    func truthReadsBack() throws {
        try withTemporaryFolder { folder in
            let truth = try MintRun(.small(300)).run(into: folder)
            let data = try Data(contentsOf: folder.appending(path: MintRun.truthName))
            #expect(try JSONDecoder.ofTruth.decode(Truth.self, from: data) == truth)
        }
    }

    private func files(_ parameters: MintParameters) throws -> [String: Data] {
        try withTemporaryFolder { folder in
            _ = try MintRun(parameters).run(into: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return try Dictionary(
                uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
        }
    }
}
