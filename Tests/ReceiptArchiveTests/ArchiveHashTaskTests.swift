import Foundation
import ReceiptTrust
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive

@Suite("What an archive is, found out beside its reading")
struct ArchiveHashTaskTests {
    private let workdir: Workdir
    private let database: String

    init() throws {
        workdir = try Workdir()
        database = workdir.path("mill.sqlite")
    }

    private func search(_ path: String, stop: CancellationFlag = CancellationFlag()) -> ArchiveHashTask? {
        ArchiveHashTask(path: path, database: database, stop: stop)
    }

    @Test("is its name, its length and its SHA-256")
    func found() throws {
        let path = try workdir.write("abc", to: "day.jsonl")
        let ahead = try #require(search(path))
        let identity = try ahead.identity()
        #expect(identity.name == "day.jsonl" && identity.bytes == 3 && ahead.bytes == 3)
        // FIPS 180-2, B.1.
        #expect(identity.sha256.hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(try ahead.isOf(InputFile(path: path)))
    }

    @Test("is not that of a file that was written to since, nor of another")
    func changed() throws {
        let path = try workdir.write("abc", to: "day.jsonl")
        let other = try workdir.write("abc", to: "other.jsonl")
        let ahead = try #require(search(path))
        #expect(try !ahead.isOf(InputFile(path: other)))
        try workdir.write("abcd", to: "day.jsonl")
        #expect(try !ahead.isOf(InputFile(path: path)))
    }

    @Test("is not looked for where reading could wait or harm: pipes, folders, what is not there, the database itself")
    func notLookedFor() throws {
        try #require(mkfifo(workdir.path("pipe"), 0o600) == 0)
        try workdir.write("abc", to: "mill.sqlite")
        for path in ["-", workdir.path("pipe"), workdir.url.path(), workdir.path("missing"), database] {
            #expect(search(path) == nil, "\(path)")
        }
    }

    @Test("is lost where the file is no archive, so that a second look states why")
    func noArchive() throws {
        let ahead = try #require(search(workdir.write([UInt8](), to: "empty.gz")))
        #expect(throws: ahead.lost) { try ahead.identity() }
    }

    @Test("is lost where reading gives more than the file system states, as when the file grows meanwhile")
    func longerThanSaid() throws {
        // It says that it has no bytes.
        let ahead = try #require(search("/proc/cpuinfo"))
        #expect(throws: ahead.lost) { try ahead.identity() }
    }

    @Test("is not waited for once a stop was asked for", .timeLimit(.minutes(1)))
    func stopped() throws {
        // Sparse: hashing its terabyte would take minutes.
        let path = try workdir.write([UInt8](), to: "long.jsonl")
        try #require(truncate(path, 1 << 40) == 0)
        let stop = CancellationFlag()
        let ahead = try #require(search(path, stop: stop))
        Thread.detachNewThread {
            Waiting.until { Waiting.isOpen(path) }
            stop.cancel()
        }
        #expect(throws: ahead.lost) { try ahead.identity() }
    }
}
