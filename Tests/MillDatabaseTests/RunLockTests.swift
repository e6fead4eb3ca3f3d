import Foundation
import TestSupport
import Testing

@testable import MillDatabase
@testable import MillSystem

@Suite("The lock of a run")
struct RunLockTests {
    private let workdir: Workdir

    init() throws { workdir = try Workdir() }

    private func lockOwner() throws -> uid_t {
        var status = stat()
        try #require(stat(workdir.path("mill.sqlite-lock"), &status) == 0)
        return status.st_uid
    }

    @Test(
        "that root takes is the database owner's: what it leaves behind keeps nobody out", .enabled(if: geteuid() == 0))
    func ofRoot() throws {
        let database = try workdir.write("", to: "mill.sqlite")
        try #require(chown(database, 65_534, 65_534) == 0)
        let lock = try RunLock(database: database)
        #expect(try lockOwner() == 65_534)
        withExtendedLifetime(lock) {}
    }

    @Test("that can't be opened is reported with its owner and what to do", .enabled(if: geteuid() != 0))
    func ofAnother() throws {
        let database = workdir.path("mill.sqlite")
        try workdir.write("", to: "mill.sqlite-lock")
        try #require(chmod(database + "-lock", 0) == 0)
        let error = #expect(throws: MillError.self) { _ = try RunLock(database: database) }
        #expect(error?.what.contains("can't be opened, it belongs to ") == true)
        #expect(error?.hint?.hasSuffix("rm \(database)-lock") == true)
        #expect(error?.exitStatus == .cannotCreate)
    }

    @Test("names the process that holds it")
    func holder() throws {
        let database = try workdir.write("", to: "mill.sqlite")
        let lock = try RunLock(database: database)
        let error = #expect(throws: MillError.self) { _ = try RunLock(database: database) }
        #expect(error?.what.hasPrefix("another run is loading into this database (process \(getpid()), ") == true)
        #expect(error?.what.contains(", since 20") == true)
        withExtendedLifetime(lock) {}
    }

    @Test("is waited for so long at most, and the wait says for whom")
    func limitedWait() throws {
        let database = try workdir.write("", to: "mill.sqlite")
        let lock = try RunLock(database: database)
        var holders: [String] = []
        let wait = RunLock.Wait(stop: CancellationFlag(), limit: .milliseconds(300)) { holders.append($0 ?? "") }
        let error = #expect(throws: MillError.self) { _ = try RunLock(database: database, waiting: wait) }
        #expect(error?.code == .databaseHeld && error?.what.hasSuffix("after a wait of 0 s") == true)
        #expect(holders.count == 1 && holders[0].contains("process \(getpid())"))
        withExtendedLifetime(lock) {}
    }

    @Test("is not taken through a link: the file that it leads to stays whose it is")
    func throughLink() throws {
        let database = try workdir.write("", to: "mill.sqlite")
        let other = try workdir.write("theirs", to: "other")
        if geteuid() == 0 { try #require(chown(database, 65_534, 65_534) == 0) }
        try FileManager.default.createSymbolicLink(atPath: database + "-lock", withDestinationPath: other)
        let error = #expect(throws: MillError.self) { _ = try RunLock(database: database) }
        #expect(error?.exitStatus == .cannotCreate && error?.hint?.hasSuffix("rm \(database)-lock") == true)
        var status = stat()
        try #require(stat(other, &status) == 0)
        #expect(status.st_uid == geteuid())
        #expect(FileManager.default.fileExists(atPath: database + "-lock"))
    }

    @Test("that is a file of another name too is not given away", .enabled(if: geteuid() == 0))
    func hardLink() throws {
        let database = try workdir.write("", to: "mill.sqlite")
        let other = try workdir.write("theirs", to: "other")
        try #require(chown(database, 65_534, 65_534) == 0)
        try FileManager.default.linkItem(atPath: other, toPath: database + "-lock")
        let lock = try RunLock(database: database)
        #expect(try lockOwner() == 0)
        withExtendedLifetime(lock) {}
    }

    @Test(
        "is one for a database, whatever link leads to it, also one that is yet to be made", arguments: [true, false])
    func ofLinkedDatabase(isCancelled: Bool) throws {
        let database = workdir.path("mill.sqlite")
        if isCancelled { try workdir.write("", to: "mill.sqlite") }
        try FileManager.default.createSymbolicLink(
            atPath: workdir.path("link.sqlite"), withDestinationPath: "mill.sqlite")
        let lock = try RunLock(database: database)
        let error = #expect(throws: MillError.self) { _ = try RunLock(database: workdir.path("link.sqlite")) }
        #expect(error?.exitStatus == .tryLater)
        withExtendedLifetime(lock) {}
    }
}
