internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Folders for moved archives in a folder where another user delivers, and the files that are moved into them.
@Suite(.enabled(if: geteuid() == 0)) struct ForeignFolderTests: NightFolder {
    let workdir: Workdir
    private static let nobody: uid_t = 65_534
    /// A user who delivers archives; the user needs no name.
    private static let sender: uid_t = 54_321

    init() throws {
        workdir = try Workdir()
        try deliver()
        // A folder that only root may write to, so that every file in it shows who wrote it.
        try #require(mkdir(workdir.path("own"), 0o755) == 0)
    }

    private func give(_ name: String, to user: uid_t, mode: mode_t) throws {
        try #require(lchown(workdir.path(name), user, user) == 0)
        try #require(chmod(workdir.path(name), mode) == 0)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: workdir.path(name), withDestinationPath: target)
        try #require(lchown(workdir.path(name), Self.sender, Self.sender) == 0)
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: workdir.path(folder)).sorted()
    }

    /// A night, and the dry run before it with the same result.
    private func night(_ archives: String) throws -> Mill.Result {
        let file = try write(archives: archives)
        let plan = try Mill.run(["run", file, "--dry-run"])
        let run = try Mill.run(["run", file])
        #expect(plan.status == run.status, "\(plan) \(run)")
        return run
    }

    @Test(
        "A link that the sender made is not followed, wherever it is in the path",
        arguments: ["in/done", "in/done/2024", "in/2024/done"], ["move_to", "damaged_to"])
    func linkOfTheSender(folder: String, key: String) throws {
        try give("in", to: 0, mode: 0o777)
        if folder == "in/2024/done" {
            try #require(mkdir(workdir.path("in/2024"), 0o777) == 0)
            try give("in/2024", to: 0, mode: 0o777)
            try link("in/2024/done", to: "../../own")
        } else {
            try link("in/done", to: "../own")
        }
        if key == "damaged_to" {
            let bytes = try workdir.read("in/a.gz")
            try workdir.write(Array(bytes.dropLast(bytes.count / 3)), to: "in/a.gz")
        }
        let after = key == "move_to" ? "move" : "keep"
        let result = try night("  - {path: in/*.gz, after: \(after), \(key): \(folder)}\n")
        #expect(result.status == 73, "\(result)")
        #expect(result.errors.contains("/done: is a link of user 54321's"), "\(result)")
        #expect(try names("own").isEmpty && exists("in/a.gz"))
        #expect(try lines("SELECT count(*) > 0 FROM submissions") == ["1"])
    }

    @Test("No archive is moved into a folder that the sender made")
    func folderOfTheSender() throws {
        try give("in", to: 0, mode: 0o777)
        try #require(mkdir(workdir.path("in/done"), 0o777) == 0)
        try give("in/done", to: Self.sender, mode: 0o777)
        let result = try night("  - {path: in/*.gz, after: move, move_to: in/done}\n")
        #expect(result.status == 73 && result.errors.contains("in/done: is a folder of user 54321's"), "\(result)")
        #expect(try names("in/done").isEmpty && exists("in/a.gz"))
    }

    @Test("A link that the sender made hides no archive and stops no run")
    func linkToTheSpool() throws {
        try give("in", to: 0, mode: 0o777)
        try link("in/done", to: ".")
        let result = try night("  - {path: in/*.gz, after: move, move_to: in/done}\n")
        #expect(result.status == 73, "\(result)")
        #expect(try lines("SELECT name FROM archives") == ["a.gz"])
    }

    @Test("A link with the name of the folder for damaged report files hides no report")
    func folderOfDamagedReports() throws {
        try #require(mkdir(workdir.path("reports"), 0o755) == 0)
        try give("reports", to: 0, mode: 0o777)
        try workdir.write(
            StoreReportFiles.text(StoreReportFiles.sale("gems", units: 2)), to: "reports/S_D_80012345_20260331.txt")
        try link("reports/bad", to: ".")
        let file = try write("store_reports: [{path: reports/*.txt, damaged_to: reports/bad}]\n")
        let result = try Mill.run(["run", file])
        #expect(result.errors.contains("reports/bad"), "\(result)")
        #expect(try lines("SELECT name FROM store_file") == ["S_D_80012345_20260331.txt"])
    }

    @Test("Expired archives are not deleted through a link, and status reads no folder behind one")
    func expiry() throws {
        let file = try write(archives: "  - {path: in/*.gz, after: move, move_to: in/done, expire_days: 1}\n")
        #expect(try Mill.run(["run", file]).status == 0)
        try FileManager.default.moveItem(atPath: workdir.path("in/done/a.gz"), toPath: workdir.path("own/a.gz"))
        try Samples.copyBeginning(to: workdir.path("own/b.gz"))
        try #require(rmdir(workdir.path("in/done")) == 0)
        try give("in", to: 0, mode: 0o777)
        try link("in/done", to: "../own")
        try DatabaseQueue(path: workdir.path("mill.sqlite")).write { db in
            try db.execute(sql: "UPDATE archive SET completed_at = completed_at - 3 * 86400000")
        }
        #expect(try Mill.run(["run", file]).status == 73)
        #expect(try names("own") == ["a.gz", "b.gz"])
        let status = try Mill.run(["status", "--pipeline", file])
        #expect(!status.output.contains("b.gz") && status.output.contains("in/done: is a link of"), "\(status)")
    }

    /// The package's layout: the spool belongs to the service, and senders are in its group.
    @Test("In its own spool, the service creates the folders and moves archives")
    func folderOfTheService() throws {
        for folder in ["", "in"] { try give(folder, to: Self.nobody, mode: 0o2770) }
        try give("in/a.gz", to: Self.sender, mode: 0o644)
        let file = try write(archives: "  - {path: in/*.gz, after: move, move_to: in/done/2024}\n")
        try give("night.yaml", to: Self.nobody, mode: 0o644)
        let result = try Mill.run(["run", file], asNobody: true)
        #expect(result.status == 0, "\(result)")
        #expect(try names("in/done/2024") == ["a.gz"])
    }

    @Test(
        "A moved copy that belongs to the service has no bit of the sender's mode", arguments: [0o4755, 0o2755, 0o777])
    func modeOfACopy(mode: mode_t) throws {
        let folder = Workdir.pathElsewhere()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #require(mkdir(folder, 0o755) == 0 && chown(folder, Self.nobody, Self.nobody) == 0)
        for folder in ["", "in"] { try give(folder, to: Self.nobody, mode: 0o2770) }
        try give("in/a.gz", to: Self.sender, mode: mode)
        let file = try write(archives: "  - {path: in/*.gz, after: move, move_to: \(folder)}\n")
        try give("night.yaml", to: Self.nobody, mode: 0o644)
        let result = try Mill.run(["run", file], asNobody: true)
        #expect(result.status == 0, "\(result)")
        var status = stat()
        try #require(lstat("\(folder)/a.gz", &status) == 0)
        #expect(status.st_uid == Self.nobody && status.st_mode & 0o7777 == 0o600, "\(String(status.st_mode, radix: 8))")
        // Root gives the copy to the sender, without the right to execute it.
        try #require(chown(folder, 0, 0) == 0)
        try deliver("b.gz")
        try give("in/b.gz", to: Self.sender, mode: mode)
        #expect(try Mill.run(["run", file]).status == 0)
        try #require(lstat("\(folder)/b.gz", &status) == 0)
        #expect(status.st_uid == Self.sender && status.st_mode & 0o7777 == mode & 0o666)
    }
}
