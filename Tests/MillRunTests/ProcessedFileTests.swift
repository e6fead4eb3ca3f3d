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

    private var folder: OpenFolder {
        get throws { try OpenFolder(path: workdir.url.path) }
    }

    private func place(_ name: String) throws -> ProcessedFile.Place {
        ProcessedFile.Place(folder: try folder, name: name)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: workdir.url.path).sorted() }
    }

    @Test("is moved, and removed")
    func goes() throws {
        #expect(try ProcessedFile(path: path, stamp: stamp).move(into: folder, as: "done.gz"))
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
        let error = #expect(throws: Errno.self) {
            try ProcessedFile(path: path, stamp: stamp).move(into: OpenFolder(path: folder), as: "a.gz")
        }
        #expect(error?.code == EEXIST)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "former")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.gz"])
        #expect(try workdir.read("a.gz") == Array("read".utf8))
    }

    /// What a check before would not see: the name is taken between it and the move.
    @Test(
        "takes no name that has come meanwhile, also where the file system can't rename so", arguments: [false, true])
    func placing(byReserving: Bool) throws {
        try workdir.write("former", to: "done.gz")
        func place(_ target: String) throws {
            if byReserving {
                try ProcessedFile.reserve(self.place(target), for: self.place("a.gz"))
            } else {
                try ProcessedFile.place(self.place("a.gz"), as: self.place(target))
            }
        }
        let error = #expect(throws: Errno.self) { try place("done.gz") }
        #expect(try error?.code == EEXIST && workdir.read("done.gz") == Array("former".utf8))
        try place("b.gz")
        #expect(try names == ["b.gz", "done.gz"] && workdir.read("b.gz") == Array("read".utf8))
    }

    @Test("stays where another one has come in its place")
    func replaced() throws {
        try workdir.write("new", to: "b.gz")
        try #require(rename(workdir.path("b.gz"), path) == 0)
        let file = ProcessedFile(path: path, stamp: stamp)
        #expect(try !file.remove())
        #expect(try !file.move(into: folder, as: "done.gz"))
        #expect(try names == ["a.gz"] && workdir.read("a.gz") == Array("new".utf8))
    }

    @Test("is put back where it can't be moved")
    func unmovable() throws {
        let error = #expect(throws: Errno.self) {
            try ProcessedFile(path: path, stamp: stamp).move(into: folder, as: "no/a.gz")
        }
        #expect(try error?.code == ENOENT && names == ["a.gz"])
    }

    @Test("is moved into the opened folder, even if another folder has its name by now")
    func exchangedFolder() throws {
        try #require(mkdir(workdir.path("done"), 0o700) == 0 && mkdir(workdir.path("other"), 0o700) == 0)
        let opened = try OpenFolder.own(workdir.path("done"), making: false)
        try #require(rename(workdir.path("done"), workdir.path("former")) == 0)
        try FileManager.default.createSymbolicLink(atPath: workdir.path("done"), withDestinationPath: "other")
        #expect(try ProcessedFile(path: path, stamp: stamp).move(into: opened, as: "a.gz"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: workdir.path("other")).isEmpty)
        #expect(try workdir.read("former/a.gz") == Array("read".utf8))
    }

    @Test("stays if another user's link to it has replaced it", .enabled(if: geteuid() == 0))
    func linkInItsPlace() throws {
        try #require(rename(path, workdir.path("far.gz")) == 0)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "far.gz")
        try #require(lchown(path, 65_534, 65_534) == 0)
        let file = ProcessedFile(path: path, stamp: stamp)
        #expect(try !file.move(into: folder, as: "done.gz") && !file.remove())
        #expect(try names == ["a.gz", "far.gz"])
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
