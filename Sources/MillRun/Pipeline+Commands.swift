internal import MillConfiguration
internal import MillSystem

/// Commands that hints name, with the settings of a pipeline file.
extension Pipeline {
    /// The command that runs a report by hand.
    func commandRunning(_ report: String, _ parameters: [Setting]) -> String {
        ShellWords.line(
            ["report", report, "--database", database] + (reportFolder.map { ["--sql", $0] } ?? [])
                + parameters.flatMap { ["--param", "\($0.name)=\($0.text)"] })
    }

    /// The command that loads archives which were moved and which the database does not know.
    var reloadCommand: String { ShellWords.line(["run", "--reload-moved", file]) }

    /// The steps of a recovery where the database is damaged, in order.
    var hintOnDamage: String {
        let database = RealPath.of(database)
        let moved = Set(archives.compactMap(\.destination)).sorted().joined(separator: " and ")
        let deletes = archives.contains { $0.after == .delete }
        return "no more archives are moved or deleted. In this order: restore the last backup in the place of "
            + "\(database); remove \(database)-wal and \(database)-shm; "
            + "\(reloadCommand), which loads what came after the backup"
            + (moved.isEmpty ? "" : ", also from \(moved)")
            + (deletes ? "; have those delivered again that were deleted since" : "")
            + ". docs/operations.md, Recovery, says what can be saved without a backup"
    }
}
