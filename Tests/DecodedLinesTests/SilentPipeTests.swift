import Foundation
import MillTestSupport
import Synchronization
import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

/// A pipe whose writer falls silent holds back no line that it has given.
@Suite("Loading from a pipe", .timeLimit(.minutes(2)))
struct SilentPipeTests {
    private let minted: MintedArchive
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }
    private var pipe: String { workdir.path("pipe") }

    init() throws {
        minted = try Self.shared.get()
        workdir = try Workdir()
        try #require(mkfifo(workdir.path("pipe"), 0o600) == 0)
    }

    private static let shared = Result { try MintedArchive(count: 240, archives: 1) }
    private static let patience = Duration.seconds(30)

    private func load(_ files: [String], jobs: Int) throws -> Load {
        var load = try minted.load(files, into: database)
        load.configuration.jobs = jobs
        // Not a divisor of anything: a pipe's last piece fills no batch.
        load.configuration.batchSize = 5_000
        load.configuration.longestSilence = .milliseconds(200)
        return load
    }

    /// The first lines, and the others.
    private func decodedLines(first count: Int) throws -> (first: String, rest: String) {
        let lines = try minted.decode().text().split(separator: "\n").map { $0 + "\n" }
        return (lines.prefix(count).joined(), lines.dropFirst(count).joined())
    }

    /// Asks, as another connection does, until so many lines are there.
    private static func committed(_ wanted: Int, in database: String) -> Int {
        var found = 0
        Waiting.until(for: patience) {
            let lines = try? Stored(database).lines("SELECT coalesce(sum(lines), 0) FROM archives")
            found = lines?.first.flatMap { Int($0) } ?? 0
            return found >= wanted
        }
        return found
    }

    /// Opens the pipe for writing when it is read.
    private static func write(_ pieces: [[UInt8]], to pipe: String, after each: (Int) -> Void) {
        let opened = open(pipe, O_WRONLY)
        for (index, piece) in pieces.enumerated() {
            _ = piece.withUnsafeBytes { TextOutput.isWritten($0, to: opened) }
            each(index)
        }
        close(opened)
    }

    @Test("commits what came before a silence, and goes on behind it", arguments: [1, 2], [false, true])
    func silence(jobs: Int, isGzip: Bool) throws {
        let (first, rest) = try decodedLines(first: 100)
        // The last line of the first piece is cut: it isn't there yet.
        let cut = [Array((first + rest.prefix(20)).utf8), Array(rest.dropFirst(20).utf8)]
        let pieces = try isGzip ? cut.map { try Gzip.compress($0, in: workdir) } : cut
        let seen = Mutex(0)
        let (database, pipe) = (database, pipe)
        let writer = Thread {
            Self.write(pieces, to: pipe) { index in
                if index == 0 { seen.withLock { $0 = Self.committed(100, in: database) } }
            }
        }
        writer.start()
        let summary = try load([pipe], jobs: jobs).run()
        #expect(seen.withLock { $0 } == 100)
        #expect(summary.failures.isEmpty && summary.lines == 240)

        let whole = try workdir.write(first + rest, to: "whole.decoded")
        _ = try minted.load([whole], into: workdir.path("whole.sqlite")).run()
        #expect(try Stored(database).everything() == Stored(workdir.path("whole.sqlite")).everything())
    }

    @Test("commits the files before a pipe that nobody writes to yet", arguments: [1, 2])
    func unopened(jobs: Int) throws {
        let (first, rest) = try decodedLines(first: 100)
        let seen = Mutex(0)
        let (database, pipe) = (database, pipe)
        let writer = Thread {
            seen.withLock { $0 = Self.committed(100, in: database) }
            Self.write([Array(rest.utf8)], to: pipe) { _ in }
        }
        writer.start()
        let summary = try load([try workdir.write(first, to: "first.decoded"), pipe], jobs: jobs).run()
        #expect(seen.withLock { $0 } == 100)
        #expect(summary.failures.isEmpty && summary.lines == 240)
    }

    @Test("ends when it is asked to stop, with the lines that came", arguments: [1, 2])
    func stop(jobs: Int) throws {
        let first = try decodedLines(first: 100).first
        let load = try load([pipe], jobs: jobs)
        let (database, pipe, ended) = (database, pipe, DispatchSemaphore(value: 0))
        let writer = Thread {
            Self.write([Array(first.utf8)], to: pipe) { _ in
                _ = Self.committed(100, in: database)
                load.configuration.stop.cancel()
                // The pipe stays open until the load has ended.
                ended.wait()
            }
        }
        writer.start()
        let summary = try load.run()
        ended.signal()
        #expect(summary.isStopped && summary.lines == 100 && summary.failures.isEmpty)
        #expect(try Stored(database).lines("SELECT lines, complete FROM archives") == ["100|0"])
    }

    @Test("whose lines name no archive takes it for one, as it takes a file", arguments: [false, true])
    func unnamed(isGzip: Bool) throws {
        let (first, rest) = try decodedLines(first: 100)
        let lines = (first + rest).replacing(/"archive":{[^}]*},"line":\d+,/, with: "").replacing(
            ",\"last\":true", with: "")
        let text = try isGzip ? Gzip.compress(Array(lines.utf8), in: workdir) : Array(lines.utf8)
        let (pieces, pipe) = ([Array(text.prefix(20_000)), Array(text.dropFirst(20_000))], pipe)
        Thread.detachNewThread {
            // Nothing is committed before the end, as the digest of the whole text identifies it.
            Self.write(pieces, to: pipe) { _ in Thread.sleep(forTimeInterval: 0.4) }
        }
        #expect(try load([pipe], jobs: 2).run().lines == 240)
        let again = try load([try workdir.write(text, to: "again")], jobs: 2).run()
        #expect(again.lines == 0 && again.knownArchives == 1)
    }
}
