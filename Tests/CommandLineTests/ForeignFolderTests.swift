internal import Foundation
internal import GRDB
internal import TestSupport
internal import Testing

/// Folders for moved archives that lie where another user delivers, and the files that are moved into them.
@Suite(.enabled(if: geteuid() == 0)) struct ForeignFolderTests: NightFolder {
    let workdir: Workdir
    private static let nobody: uid_t = 65_534
    /// A user who delivers archives, and who needs no name.
    private static let sender: uid_t = 54_321

    init() throws {
        workdir = try Workdir()
        try deliver()
        // A folder of root's alone, in which every file says who has written to it.
        try #require(mkdir(workdir.path("own"), 0o755) == 0)
    }

    private func give(_ name: String, to user: uid_t, mode: mode_t) throws {
        try #require(lchown(workdir.path(name), user, user) == 0)
        try #require(chmod(workdir.path(name), mode) == 0)
    }

    @Test("A moved copy that belongs to the service has no bit of the sender's mode", arguments: [0o4755, 0o2755, 0o777])
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
        // Root gives the copy to the sender, and no right to run it.
        try #require(chown(folder, 0, 0) == 0)
        try deliver("b.gz")
        try give("in/b.gz", to: Self.sender, mode: mode)
        #expect(try Mill.run(["run", file]).status == 0)
        try #require(lstat("\(folder)/b.gz", &status) == 0)
        #expect(status.st_uid == Self.sender && status.st_mode & 0o7777 == mode & 0o666)
    }
}
