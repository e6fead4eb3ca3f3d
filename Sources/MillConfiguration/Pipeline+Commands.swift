internal import MillSystem

/// Commands for hints, with the settings of a pipeline file.
extension Pipeline {
    /// The command that runs a report with the given parameters.
    package func commandRunning(_ report: String, _ parameters: [Setting]) -> String {
        ShellWords.line(
            ["report", report, "--database", database] + (reportFolder.map { ["--sql", $0] } ?? [])
                + parameters.map { "\($0.name)=\($0.text)" })
    }

    /// The command that loads moved archives that the database does not have.
    package var reloadCommand: String { ShellWords.line(["run", "--reload-moved", file]) }

    /// The command that runs the pipeline file and confirms its clock.
    package var confirmClockCommand: String { ShellWords.line(["run", "--clock-is-right", file]) }

    /// The command that lists what a run would do, without doing it.
    package var dryRunCommand: String { ShellWords.line(["run", "--dry-run", file]) }

    /// The steps of a recovery from a damaged database, in order.
    package var hintOnDamage: String {
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
