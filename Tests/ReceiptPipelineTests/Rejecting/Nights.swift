import Foundation
import GRDB
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptPipeline

/// A database that nights load into, with a rejects file, `rejects.gz`.
struct Nights {
    private let workdir: Workdir
    private let minted: MintedArchive
    private let readable: [String]

    init() throws {
        workdir = try Workdir()
        minted = try RejectsFileTests.shared.get()
        readable = try RejectsFileTests.readable.get()
        try FileManager.default.createDirectory(
            at: workdir.url.appending(path: "copy"), withIntermediateDirectories: true)
    }

    /// A line that can be read, known by its account.
    ///
    /// - Parameter isOther: whether it holds another receipt than other lines.
    func good(_ account: String, isOther: Bool = false) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(readable[isOther ? 1 : 0].utf8))
        var members = try #require(object as? [String: Any])
        members["account_id"] = account
        let line = try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: line, as: UTF8.self)
    }

    @discardableResult
    func write(_ name: String, _ text: some StringProtocol) throws -> String {
        try workdir.write(String(text), to: name)
    }

    /// What a file holds; nil where there is none.
    func text(_ name: String) -> String? {
        guard let bytes = try? workdir.read(name) else { return nil }
        guard bytes.starts(with: [0x1f, 0x8b]) else { return String(decoding: bytes, as: UTF8.self) }
        return (try? Gzip.recover(bytes, in: workdir)).map { String(decoding: $0.output, as: UTF8.self) }
    }

    @discardableResult
    func load(_ name: String, _ lines: [String]) throws -> [MillSystem.ExitStatus] {
        try write(name, lines.map { $0 + "\n" }.joined())
        return try load([name])
    }

    /// A night: the statuses of its failures.
    @discardableResult
    func load(_ names: [String]) throws -> [MillSystem.ExitStatus] {
        var ingest = try ingest(names.map(workdir.path))
        ingest.rejects = workdir.path("rejects.gz")
        return try ingest.run().failures.map(\.exitStatus)
    }

    /// Changes the lines of the rejects file.
    func mend(_ change: ([String]) throws -> [String]) throws {
        let text = try #require(self.text("rejects.gz"))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        try write("rejects.gz", try change(lines).map { $0 + "\n" }.joined())
    }

    typealias Tell = (Ingest.Event) -> Void

    /// Loads a mended rejects file as a night's message says.
    ///
    /// - Parameter refused: what a failure may say that is not of interest.
    func loadMended(
        _ path: String? = nil, refusing refused: String? = nil,
        onEvent tell: @escaping Tell = { _ in }
    ) throws -> [MillSystem.ExitStatus] {
        guard path != nil || text("rejects.gz") != nil else { return [] }
        var ingest = try ingest([path ?? workdir.path("rejects.gz")])
        ingest.readsRejectedAgain = true
        return try ingest.run(onEvent: tell).failures
            .filter { failure in refused.map { !failure.what.contains($0) } ?? true }
            .map(\.exitStatus)
    }

    private func ingest(_ archives: [String]) throws -> Ingest {
        var ingest = try minted.ingest(into: workdir.path("mill.sqlite"))
        ingest.archives = archives
        ingest.jobs = 1
        return ingest
    }

    func accounts() throws -> [String] {
        try Stored(workdir.path("mill.sqlite")).lines("SELECT account_id FROM submissions").sorted()
    }

    func rejections() throws -> [String] {
        try Stored(workdir.path("mill.sqlite")).lines("SELECT archive, line FROM rejections ORDER BY 1, 2")
    }

    func execute(_ sql: String) throws {
        try DatabaseQueue(path: workdir.path("mill.sqlite")).write { try $0.execute(sql: sql) }
    }

    /// Promises that the database breaks.
    func broken() throws -> [String] {
        try DatabaseCheck(path: workdir.path("mill.sqlite")).run().filter { $0.count > 0 }.map { "\($0)" }
    }
}
