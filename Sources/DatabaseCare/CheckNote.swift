internal import Foundation
internal import MillDatabase
internal import MillSystem

/// A file beside the database, `mill.sqlite-check`, that states when the last check began, what it found, and which
/// stored receipt it examined last.
///
/// A check only reads the database, so it can't store this in the database. Each line of the text file holds one value:
/// the time of the last check and of the last check without damage, both in milliseconds since 1970, the receipt, and
/// the names of the invariants that were broken.
package struct CheckNote: Sendable, Hashable {
    /// Milliseconds since 1970.
    package let checkedAt: Int64
    /// When the last check that found no damage began, in milliseconds since 1970; 0 if there was none.
    package let soundAt: Int64
    /// The last stored receipt that the check examined.
    package let lastReceipt: Int64
    /// The names of the invariants that were broken in the last check.
    package let broken: [String]

    /// Whether the last check found damage.
    package var showsDamage: Bool { soundAt < checkedAt }

    private static func path(of database: String) -> String { RealPath.of(database) + DatabaseName.checkEnding }

    /// The note of a check.
    ///
    /// - Parameters:
    ///   - time: when the check began, in milliseconds since 1970; rows that were written later were not checked.
    ///   - former: the note of the previous check.
    package init(of check: DatabaseCheck.Examination, at time: Int64, after former: CheckNote?) {
        checkedAt = time
        soundAt = check.findings.contains(where: \.showsDamage) ? min(former?.soundAt ?? 0, time - 1) : time
        lastReceipt = check.lastReceipt
        broken = check.findings.filter { $0.count > 0 }.map(\.name)
    }

    /// The damage that the last check found, and when, in words; nil if it found none.
    var finding: String? {
        guard showsDamage else { return nil }
        return "the check of \(CivilTime.iso8601(milliseconds: checkedAt)) found \(broken.joined(separator: ", "))"
    }

    /// Reads the note beside a database; nil if there is none or it can't be read.
    package init?(of database: String) {
        guard let data = FileManager.default.contents(atPath: Self.path(of: database)) else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 4, let checkedAt = Int64(lines[0]), let soundAt = Int64(lines[1]),
            let lastReceipt = Int64(lines[2])
        else { return nil }
        (self.checkedAt, self.soundAt, self.lastReceipt) = (checkedAt, soundAt, lastReceipt)
        broken = lines[3...].filter { !$0.isEmpty }.map(String.init)
    }

    /// Replaces the former note by this one.
    package func write(of database: String) throws {
        let lines = ["\(checkedAt)", "\(soundAt)", "\(lastReceipt)"] + (broken.isEmpty ? [""] : broken)
        try OutputFile.write(to: Self.path(of: database), mode: 0o600) { try $0(lines.joined(separator: "\n") + "\n") }
    }

    /// Removes the note of a database that is replaced by a new one.
    package static func remove(of database: String) { unlink(path(of: database)) }
}
