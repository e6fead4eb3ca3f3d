internal import MillSystem

/// Commands that hints name, with the settings of a pipeline file.
extension Pipeline {
    /// The command that runs a report by hand.
    package func commandRunning(_ report: String, _ parameters: [Setting]) -> String {
        Self.command(
            ["report", report, "--database", database] + (reportFolder.map { ["--sql", $0] } ?? [])
                + parameters.flatMap { ["--param", "\($0.name)=\($0.text)"] })
    }

    /// The command that loads archives which were moved and which the database does not know.
    package var reloadCommand: String { Self.command(["run", "--reload-moved", file]) }

    /// The command that does the pipeline file's run.
    package var runCommand: String { Self.command(["run", file]) }

    /// The command that lists what a run would do, and does nothing.
    package var dryRunCommand: String { Self.command(["run", "--dry-run", file]) }

    /// The steps of a recovery where the database is damaged, in order.
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

    private static func command(_ words: [String]) -> String { ShellCommand.text(words) }
}

/// Commands of receiptmill as a person types them.
package enum ShellCommand {
    /// - Parameter words: subcommand, arguments and options.
    package static func text(_ words: [String]) -> String {
        (["receiptmill"] + words.map(quoted)).joined(separator: " ")
    }

    /// A word quoted for sh(1).
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "-_./:=,+@%".utf8.contains($0)
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
