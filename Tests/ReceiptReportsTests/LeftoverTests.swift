import Foundation
import TestSupport
import Testing

@testable import MillSystem

/// Files beside an output, as processes leave them that are killed while writing.
@Suite("What was left beside an output")
struct LeftoverTests {
    private let workdir: Workdir
    /// Number of a process that has ended.
    private let dead: pid_t

    init() throws {
        workdir = try Workdir()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        dead = process.processIdentifier
    }

    private func write() throws { try OutputFile.write(to: workdir.path("out.csv")) { try $0("new") } }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: workdir.url.path).sorted()
    }

    @Test("by a process that is gone goes with the next writing, also one of our own number")
    func goes() throws {
        for process in [dead, getpid()] { try workdir.write("old", to: ".out.csv.\(process).part") }
        try write()
        #expect(try names() == ["out.csv"] && workdir.read("out.csv") == Array("new".utf8))
    }

    @Test("by others, or that only looks like it, stays")
    func stays() throws {
        let kept = [
            ".out.csv.\(getppid()).part", ".out.csv.0\(dead).part", ".out.csv..part", ".out.csv.-\(dead).part",
            ".other.csv.\(dead).part", "out.csv.\(dead).part", ".out.csv.\(dead).parts",
        ]
        for name in kept { try workdir.write("theirs", to: name) }
        try write()
        #expect(try names() == (kept + ["out.csv"]).sorted())
    }

    @Test("is removed if it is a file of one name alone")
    func otherKinds() throws {
        let name = ".out.csv.\(dead).part"
        try workdir.write("theirs", to: "theirs")
        try FileManager.default.createSymbolicLink(atPath: workdir.path(name), withDestinationPath: "theirs")
        try write()
        #expect(try names() == [name, "out.csv", "theirs"])
        try FileManager.default.removeItem(atPath: workdir.path(name))
        try FileManager.default.linkItem(atPath: workdir.path("theirs"), toPath: workdir.path(name))
        try write()
        #expect(try names() == [name, "out.csv", "theirs"])
        try FileManager.default.removeItem(atPath: workdir.path(name))
        try #require(mkdir(workdir.path(name), 0o700) == 0)
        try write()
        #expect(try names() == [name, "out.csv", "theirs"])
    }

    @Test("stays while a process in another container holds it")
    func held() throws {
        let name = ".out.csv.\(dead).part"
        let holder = open(try workdir.write("half", to: name), O_RDWR)
        try #require(flock(holder, LOCK_EX) == 0)
        try write()
        #expect(try names() == [name, "out.csv"])
        close(holder)
        try write()
        #expect(try names() == ["out.csv"])
    }
}
