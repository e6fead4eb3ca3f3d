import Foundation
import TestSupport
import Testing

@testable import ReceiptMint

struct SampleTests {
    private static let folder = Repository.file("data-samples")

    /// Archives are compared line by line: another version of zlib may deflate them differently.
    @Test("the sample is what its recorded parameters make")
    func reminted() throws {
        let recorded = try JSONDecoder.ofTruth.decode(
            Truth.self, from: Data(contentsOf: Self.folder.appending(path: MintRun.truthName)))
        let mint = MintRun(MintParameters(recorded.parameters))
        try withTemporaryFolder { folder in
            #expect(try mint.run(into: folder) == recorded)
            for name in mint.archiveNames {
                let sample = try run("gzip", ["-dc", name], in: Self.folder)
                let reminted = try run("gzip", ["-dc", name], in: folder)
                #expect(sample.status == 0 && sample.output == reminted.output)
            }
            for name in Set(mint.fileNames).subtracting(mint.archiveNames) {
                let sample = try Data(contentsOf: Self.folder.appending(path: name))
                #expect(try Data(contentsOf: folder.appending(path: name)) == sample, "\(name)")
            }
        }
    }
}
