import Foundation
import Testing

@testable import ReceiptMint

struct SampleTests {
    /// Archives are compared line by line: another version of zlib may deflate them differently.
    @Test(
        "the samples are what their recorded parameters make",
        arguments: ["data-samples", "data-samples/company", "data-samples/signed"])
    func reminted(path: String) throws {
        let sampleFolder = URL(filePath: #filePath).appending(path: "../../../..")
            .standardizedFileURL.appending(path: path)
        let recorded = try JSONDecoder.ofTruth.decode(
            Truth.self, from: Data(contentsOf: sampleFolder.appending(path: MintRun.truthName)))
        let mint = MintRun(MintParameters(recorded.parameters))
        try withTemporaryFolder { folder in
            #expect(try mint.run(into: folder) == recorded)
            for name in mint.archiveNames {
                let sample = try run("gzip", ["-dc", name], in: sampleFolder)
                let reminted = try run("gzip", ["-dc", name], in: folder)
                #expect(sample.status == 0 && sample.output == reminted.output)
            }
            for name in Set(mint.fileNames).subtracting(mint.archiveNames) where isThere(name, in: sampleFolder) {
                let sample = try Data(contentsOf: sampleFolder.appending(path: name))
                #expect(try Data(contentsOf: folder.appending(path: name)) == sample, "\(name)")
            }
        }
    }

    /// Of a sample that is compiled into the program, truth.json alone of all truth is kept.
    private func isThere(_ name: String, in folder: URL) -> Bool {
        folder.lastPathComponent != "company"
            || FileManager.default.fileExists(atPath: folder.appending(path: name).path)
    }
}
