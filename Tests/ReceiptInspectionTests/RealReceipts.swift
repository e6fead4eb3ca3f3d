internal import Foundation
internal import Synchronization
internal import TestSupport

/// The corpus by the kinds that its expectation files name.
enum RealReceipts {
    /// Names of all receipts of a kind that expectation files name.
    static func names(ofKind kind: String) -> [String] {
        Corpus.names().filter { (try? expectation($0)["kind"] as? String) == kind }
    }

    static func path(_ name: String) -> String { (try? Corpus.file(name).path) ?? name }

    static func bytes(_ name: String) throws -> Data { Data(try Corpus.receipt(name)) }

    static func expectation(_ name: String) throws -> [String: Any] { try Corpus.expectation(name) }
}

/// OpenSSL's command-line tool: a reader that shares no code with the project's.
enum OpenSSLTool {
    static func run(_ arguments: [String], input: Data) throws -> Data {
        // Most receipts carry the same certificates.
        let question = Question(arguments: arguments, input: input)
        if let answer = answers.withLock({ $0[question] }) { return answer }
        let workdir = try Workdir()
        let file = try workdir.write([UInt8](input), to: "input")
        let answer = Data(try Command("openssl", arguments + ["-in", file]).run().bytes)
        answers.withLock { $0[question] = answer }
        return answer
    }

    static func text(_ arguments: [String], input: Data) throws -> String {
        String(decoding: try run(arguments, input: input), as: UTF8.self)
    }

    private struct Question: Hashable {
        let arguments: [String]
        let input: Data
    }

    private static let answers = Mutex<[Question: Data]>([:])
}
