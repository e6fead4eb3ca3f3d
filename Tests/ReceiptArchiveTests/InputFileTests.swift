import Foundation
import MillTestSupport
import TestSupport
import Testing

@testable import MillSystem
@testable import ReceiptArchive

@Suite("A file that is read while a stop is asked for")
struct InputFileTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    @Test("is not hashed to its end")
    func hashing() throws {
        let stop = CancellationFlag()
        let file = try InputFile(path: workdir.write("text", to: "a"), stop: stop)
        #expect(try file.digest().bytes == 4)
        stop.cancel()
        #expect(throws: MillError.self) { try file.digest() }
    }

    @Test("does not wait for who never opens the other end of a pipe", .timeLimit(.minutes(1)))
    func pipe() throws {
        try #require(mkfifo(workdir.path("pipe"), 0o600) == 0)
        let (stop, pipe) = (CancellationFlag(), workdir.path("pipe"))
        Thread.detachNewThread {
            Waiting.until { Waiting.isOpen(pipe) }
            stop.cancel()
        }
        let error = #expect(throws: MillError.self) { try InputFile(path: pipe, stop: stop) }
        #expect(error?.exitStatus == .tryLater)
    }

    @Test("is read whole from who writes late and slowly", .timeLimit(.minutes(1)))
    func slowPipe() throws {
        let pipe = workdir.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        Thread.detachNewThread {
            // The reader is there first, and has read each piece before the next is written.
            Waiting.until { Waiting.isOpen(pipe) }
            let opened = open(pipe, O_WRONLY)
            for text in ["one", "two"] {
                write(opened, text, 3)
                var unread: Int32 = 0
                Waiting.until { ioctl(opened, UInt(FIONREAD), &unread) == 0 && unread == 0 }
            }
            close(opened)
        }
        let file = try InputFile(path: pipe, stop: CancellationFlag())
        #expect(try file.digest().bytes == 6)
    }

    @Test("is copied where its beginning is too long to be kept in memory", .timeLimit(.minutes(1)))
    func longBeginning() throws {
        let pipe = workdir.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let text = (0..<InputFile.longestBeginning + 100_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        let writer = Thread {
            let opened = open(pipe, O_WRONLY)
            _ = text.withUnsafeBytes { TextOutput.isWritten($0, to: opened) }
            close(opened)
        }
        writer.start()
        let file = try InputFile(path: pipe, isReadOnce: true)
        file.keepBeginning()
        var room = [UInt8](repeating: 0, count: 100_000)
        for _ in 1...2 {
            var read: [UInt8] = []
            while case let count = try room.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
                read += room.prefix(count)
            }
            #expect(read == text)
            #expect(!file.isStream)
            try file.rewind()
        }
    }

    @Test("is silent only when every line is read that its bytes hold", .timeLimit(.minutes(1)), arguments: [0, 1])
    func silentGzip(inflater: Int) throws {
        let pipe = workdir.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let lines = 50_000
        // Some hundred bytes, which an inflater takes at once; the checksum is yet to come.
        let member = try Gzip.compress(Array(String(repeating: "{}\n", count: lines).utf8), in: workdir).dropLast(8)
        let silence = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let opened = open(pipe, O_WRONLY)
            _ = member.withUnsafeBytes { TextOutput.isWritten($0, to: opened) }
            silence.wait()
            close(opened)
        }
        let file = try InputFile(path: pipe, isReadOnce: true, longestSilence: .milliseconds(100))
        let method = ByteSource.Method(inflater: [ByteSource.Method.fastestInflater, ZlibInflater.self][inflater])
        var reader = try ArchiveReader(file: file, limits: Limits(), batchSize: 1_000, method: method)
        var (found, atSilence) = (0, 0)
        while let piece = try reader.next() {
            found += piece.lineCount
            if piece.lineCount == 0 {
                atSilence = found
                silence.signal()
            }
        }
        #expect(atSilence == lines && found == lines && reader.damage == "the gzip stream is cut short")
    }
}
