import Foundation
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
        let stop = CancellationFlag()
        let timer = Thread {
            Thread.sleep(forTimeInterval: 0.3)
            stop.cancel()
        }
        timer.start()
        let error = #expect(throws: MillError.self) { try InputFile(path: workdir.path("pipe"), stop: stop) }
        #expect(error?.exitStatus == .tryLater)
    }

    @Test("is read whole from who writes late and slowly", .timeLimit(.minutes(1)))
    func slowPipe() throws {
        let pipe = workdir.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = Thread {
            Thread.sleep(forTimeInterval: 0.3)
            let opened = open(pipe, O_WRONLY)
            for text in ["one", "two"] {
                write(opened, text, 3)
                Thread.sleep(forTimeInterval: 0.3)
            }
            close(opened)
        }
        writer.start()
        let file = try InputFile(path: pipe, stop: CancellationFlag())
        #expect(try file.digest().bytes == 6)
    }
}
