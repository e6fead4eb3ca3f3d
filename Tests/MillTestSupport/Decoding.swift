internal import Foundation
package import MillRun
import ReceiptMint
import TestSupport
import Testing

/// Runs of `Decode` for tests.
extension Decode {
    /// All that a run writes.
    package func text() throws -> String {
        var bytes: [UInt8] = []
        let outcome = try run { bytes.append(contentsOf: $0) }
        #expect(outcome.failures.isEmpty)
        return String(decoding: bytes, as: UTF8.self)
    }

    package func objects() throws -> [[String: Any]] { try Self.objects(try text()) }

    package static func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}

extension MintedArchive {
    /// A decoding of all archives, which trusts the mint.
    package func decode() throws -> Decode {
        var decode = Decode(archives: archives)
        decode.configuration.anchors = try ingest(into: "").configuration.anchors
        return decode
    }

    /// A load of files, which trusts the mint.
    package func load(_ files: [String], into database: String) throws -> Load {
        var load = Load(files: files, .withoutModels(database: database))
        load.configuration.anchors = try ingest(into: "").configuration.anchors
        return load
    }

    /// The lines of all archives, without their newlines.
    package func plainLines() throws -> [String] {
        try truth.archives.flatMap { archive in
            let text = try Gzip.recover(workdir.read(archive.name), in: workdir).output
            return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast().map(String.init)
        }
    }
}
