import Foundation
import TestSupport

@testable import ReceiptMint

/// A folder of its own that is gone afterwards.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let workdir = try Workdir()
    return try withExtendedLifetime(workdir) { try body(workdir.url) }
}

/// Runs a tool found on the search path; its exit status and what it wrote.
func run(_ tool: String, _ arguments: [String], in folder: URL) throws -> (status: Int32, output: Data) {
    let result = try Command(tool, arguments, in: folder).run()
    return (result.status, Data(result.bytes))
}

extension JSONDecoder {
    static var ofTruth: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    func lines<Value: Decodable>(_ type: Value.Type, at file: URL) throws -> [Value] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { try decode(type, from: Data($0)) }
    }
}

extension MintParameters {
    static func small(_ count: Int, seed: UInt64 = 1) -> MintParameters {
        var parameters = MintParameters()
        parameters.count = count
        parameters.seed = seed
        return parameters
    }
}
