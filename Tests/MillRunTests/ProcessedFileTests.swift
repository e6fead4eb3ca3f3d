import Foundation
import TestSupport
import Testing

@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

@Suite("The file of an archive that was read")
struct ProcessedFileTests {
    private let workdir: Workdir
    private let path: String
    private let stamp: FileStamp

    init() throws {
        workdir = try Workdir()
        path = try workdir.write("read", to: "a.gz")
        stamp = try #require(FileStamp(path: path))
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: workdir.url.path).sorted() }
    }

    @Test("is moved, and removed")
    func goes() throws {
        #expect(try ProcessedFile(path: path, stamp: stamp).move(to: workdir.path("done.gz")))
        #expect(try names == ["done.gz"] && workdir.read("done.gz") == Array("read".utf8))
        #expect(try ProcessedFile(path: workdir.path("done.gz"), stamp: stamp).remove())
        #expect(try names.isEmpty)
    }

    @Test("is never moved over what has the name, on this file system or another one", arguments: [false, true])
    func neverOver(isElsewhere: Bool) throws {
        let folder = isElsewhere ? Workdir.pathElsewhere() : workdir.path("done")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #require(mkdir(folder, 0o700) == 0)
        let target = "\(folder)/a.gz"
        try "former".write(toFile: target, atomically: false, encoding: .utf8)
        let error = #expect(throws: Errno.self) { try ProcessedFile(path: path, stamp: stamp).move(to: target) }
        #expect(error?.code == EEXIST)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "former")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.gz"])
        #expect(try workdir.read("a.gz") == Array("read".utf8))
    }

    /// What a check before would not see: the name is taken between it and the move.
    @Test(
        "takes no name that has come meanwhile, also where the file system can't rename so", arguments: [false, true])
    func placing(byReserving: Bool) throws {
        let target = try workdir.write("former", to: "done.gz")
        func place(_ target: String) throws {
            if byReserving {
                try ProcessedFile.reserve(target, for: path)
            } else {
                try ProcessedFile.place(path, as: target)
            }
        }
        let error = #expect(throws: Errno.self) { try place(target) }
        #expect(try error?.code == EEXIST && workdir.read("done.gz") == Array("former".utf8))
        try place(workdir.path("b.gz"))
        #expect(try names == ["b.gz", "done.gz"] && workdir.read("b.gz") == Array("read".utf8))
    }

    @Test("stays where another one has come in its place")
    func replaced() throws {
        try workdir.write("new", to: "b.gz")
        try #require(rename(workdir.path("b.gz"), path) == 0)
        let file = ProcessedFile(path: path, stamp: stamp)
        #expect(try !file.remove())
        #expect(try !file.move(to: workdir.path("done.gz")))
        #expect(try names == ["a.gz"] && workdir.read("a.gz") == Array("new".utf8))
    }

    @Test("is put back where it can't be moved")
    func unmovable() throws {
        let error = #expect(throws: Errno.self) {
            try ProcessedFile(path: path, stamp: stamp).move(to: workdir.path("no/a.gz"))
        }
        #expect(try error?.code == ENOENT && names == ["a.gz"])
    }

    @Test("goes also where its name leaves no room for a hidden one")
    func longName() throws {
        let long = try workdir.write("read", to: String(repeating: "x", count: 255))
        #expect(try ProcessedFile(path: long, stamp: #require(FileStamp(path: long))).remove())
        #expect(try names == ["a.gz"])
    }

    @Test("gets its name back when the run that took it aside was killed, unless another has it now")
    func leftover() throws {
        // Linux numbers no process so high.
        try workdir.write("aside", to: ".b.gz.2000000000.taken")
        try workdir.write("aside", to: ".a.gz.2000000000.taken")
        let left = ProcessedFile.putBackLeftovers(in: workdir.url.path)
        #expect(left.map(\.path) == [path] && left.first?.fault.code == EEXIST)
        #expect(try names == [".a.gz.2000000000.taken", "a.gz", "b.gz"])
        #expect(try workdir.read("a.gz") == Array("read".utf8) && workdir.read("b.gz") == Array("aside".utf8))
    }

    @Test("gets its name back though another process has the number of the killed run")
    func leftoverOfALivingNumber() throws {
        try workdir.write("aside", to: ".b.gz.\(getppid()).taken")
        #expect(ProcessedFile.putBackLeftovers(in: workdir.url.path).isEmpty)
        #expect(try names == ["a.gz", "b.gz"])
    }

    @Test("stays aside while a run is at work on it, whatever its number")
    func held() throws {
        let aside = try workdir.write("aside", to: ".b.gz.2000000000.taken")
        let opened = open(aside, O_RDONLY | O_CLOEXEC)
        defer { close(opened) }
        try #require(opened >= 0 && flock(opened, LOCK_EX) == 0)
        #expect(ProcessedFile.putBackLeftovers(in: workdir.url.path).isEmpty)
        #expect(try names == [".b.gz.2000000000.taken", "a.gz"])
    }
}
