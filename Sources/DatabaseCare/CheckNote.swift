internal import Foundation
internal import MillDatabase
internal import MillSystem

/// A file beside the database, `mill.sqlite-check`, that says when the last check was made, what it found, and behind
/// which stored receipt the next check goes on.
///
/// A check only reads the database, so the database itself can't remember. The file is text: milliseconds since 1970 of
/// the last check and of the last that found no damage, the receipt, and the names of broken promises, each on a line.
package struct CheckNote: Sendable, Hashable {
    /// Milliseconds since 1970.
    package let checkedAt: Int64
    /// When a check found no damage last, in milliseconds since 1970; 0 where none did.
    package let soundAt: Int64
    /// The stored receipt up to which the last check has come.
    package let lastReceipt: Int64
    /// The promises that the last check found broken.
    package let broken: [String]

    /// Whether the last check found damage.
    package var showsDamage: Bool { soundAt < checkedAt }

    private static func path(of database: String) -> String { RealPath.of(database) + DatabaseName.checkEnding }

    /// The note of a check.
    ///
    /// - Parameters:
    ///   - time: when the check began, in milliseconds since 1970: rows that came since are not in it.
    ///   - former: the note of the check before.
    package init(of check: DatabaseCheck.Outcome, at time: Int64, after former: CheckNote?) {
        checkedAt = time
        soundAt = check.findings.contains(where: \.showsDamage) ? min(former?.soundAt ?? 0, time - 1) : time
        lastReceipt = check.lastReceipt
        broken = check.findings.filter { $0.count > 0 }.map(\.name)
    }

    /// Refuses to copy a database in which the last check found damage: after a few nights of copies no copy that is older
    /// than the damage would be left.
    package func refuseCopying(_ database: String) throws(MillError) {
        guard showsDamage else { return }
        var error = MillError.damage(
            of: database,
            "is not copied, and former copies stay: the check of "
                + "\(CivilTime.iso8601(milliseconds: checkedAt)) found \(broken.joined(separator: ", "))")
        error.hint =
            "\(ShellWords.line(["check", "--database", database])) lists what is damaged, and docs/operations.md, Recovery, "
            + "says what to do; a check that finds nothing allows copies again; --replace copies the database in any case"
        throw error
    }

    /// The note beside a database; nil where there is none, or none that can be read.
    package init?(of database: String) {
        guard let data = FileManager.default.contents(atPath: Self.path(of: database)) else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 4, let checkedAt = Int64(lines[0]), let soundAt = Int64(lines[1]),
            let lastReceipt = Int64(lines[2])
        else { return nil }
        (self.checkedAt, self.soundAt, self.lastReceipt) = (checkedAt, soundAt, lastReceipt)
        broken = lines[3...].filter { !$0.isEmpty }.map(String.init)
    }

    /// Writes the note in the place of the former one.
    package func write(of database: String) throws {
        let lines = ["\(checkedAt)", "\(soundAt)", "\(lastReceipt)"] + (broken.isEmpty ? [""] : broken)
        try OutputFile.write(to: Self.path(of: database), mode: 0o600) { try $0(lines.joined(separator: "\n") + "\n") }
    }

    /// Forgets the checks of a database in whose place a new one is made.
    package static func remove(of database: String) { unlink(path(of: database)) }
}
