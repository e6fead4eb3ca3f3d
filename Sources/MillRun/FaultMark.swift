internal import Foundation
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// A file beside the database, `mill.sqlite-fault`, which a run leaves where the run has met damage of the database or
/// of the disk.
///
/// Rows that the run and former runs have committed may be lost with the database. So the next run checks the database
/// before anything else, and goes on only where the database is whole.
struct FaultMark {
    private let database: String
    private var path: String { RealPath.of(database) + DatabaseName.faultEnding }

    init(of database: String) {
        self.database = database
    }

    /// Leaves the mark where one of a run's failures casts doubt on rows that were committed.
    ///
    /// - Parameter isOurs: whether the file could be opened as a database of receiptmill.
    func leave(for failures: [MillError], isOurs: Bool) {
        guard let fault = failures.first(where: { $0.databaseFault == .doubtful }),
            isOurs || fault.code == .databaseDamaged
        else { return }
        // A disk that can't take the mark makes the next run fail as well.
        try? OutputFile.write(to: path, mode: 0o600) { try $0(fault.what + "\n") }
    }

    /// Whether a run has left a mark.
    var isThere: Bool { FileStamp(path: path) != nil }

    func remove() { unlink(path) }

    /// Checks the database where a run has left a mark.
    ///
    /// - Returns: whether the database was checked.
    /// - Throws: ``MillError`` where the database is damaged.
    func examine(_ opened: Warehouse) throws(MillError) -> Bool {
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
