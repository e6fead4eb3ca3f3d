internal import Foundation
internal import MillDatabase
package import MillSystem
package import ReceiptWarehouse

/// A file beside the database, `mill.sqlite-fault`. A run, a check or a backup creates it when it finds damage of the
/// database or of the disk.
///
/// Rows that this run and earlier runs have committed may be lost with the database. So the next run checks the
/// database first, and continues only if it is intact. Until then no backup replaces an earlier one, which may be the
/// last good copy.
package struct FaultMark {
    private let database: String
    private var path: String { RealPath.of(database) + DatabaseName.faultEnding }

    package init(of database: String) {
        self.database = database
    }

    /// Creates the mark if one of a command's failures casts doubt on committed rows.
    ///
    /// - Parameter isOurs: whether the file could be opened as a ReceiptMill database.
    package func leave(for failures: [MillError], isOurs: Bool) {
        guard let fault = failures.first(where: { $0.databaseFault == .doubtful }),
            isOurs || fault.code == .databaseDamaged
        else { return }
        leave(saying: fault.what)
    }

    /// Creates the mark. An existing mark is kept: its time shows which copies are older than the damage.
    package func leave(saying fault: String) {
        guard !isThere else { return }
        // If the disk can't store the mark, the next run fails as well.
        try? OutputFile.write(to: path, mode: 0o600) { try $0(fault + "\n") }
    }

    /// Whether a mark exists.
    package var isThere: Bool { metAt != nil }

    /// When the damage was first found, in milliseconds since 1970; nil if no mark exists.
    package var metAt: Int64? { FileStamp(path: path)?.writtenAt }

    package func remove() { unlink(path) }

    /// Throws if the mark or the last check states damage, so that the database is not copied: after a few nights, no
    /// copy from before the damage would be left.
    package func refuseCopying() throws(MillError) {
        guard let finding = finding ?? CheckNote(of: database)?.finding else { return }
        var error = MillError.damage(of: database, "is not copied, and former copies stay: \(finding)")
        error.hint =
            "\(ShellWords.line(["check", "--database", database])) shows what is damaged, and docs/operations.md, Recovery, "
            + "what to do; copies are made again after a check that finds no damage; --replace makes one now, if SQLite's "
            + "integrity check finds no damage in it"
        throw error
    }

    /// The damage that the mark states, and when it was found, in words; nil if there is no mark.
    private var finding: String? {
        guard let metAt else { return nil }
        let fault = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return "damage was found on \(CivilTime.iso8601(milliseconds: metAt)) (\(path)): "
            + fault.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Checks the database if a mark exists.
    ///
    /// - Returns: whether the database was checked.
    /// - Throws: ``MillError`` if the database is damaged.
    package func examine(_ opened: Warehouse) throws(MillError) -> Bool {
        guard isThere else { return false }
        let faults = try opened.damage()
        guard faults.isEmpty else {
            throw MillError.damage(
                of: database, "is damaged, which an earlier run has met, and is not loaded into: \(faults[0])")
        }
        remove()
        return true
    }
}
