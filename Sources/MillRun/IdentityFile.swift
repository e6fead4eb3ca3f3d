internal import Foundation
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// A file beside the database, `mill.sqlite-identity`, that names the database of the last run: a
/// night tells by it that the database has vanished, or was exchanged for another.
struct IdentityFile {
    private let database: String
    private var path: String { RealPath.of(database) + DatabaseName.identityEnding }

    init(of database: String) {
        self.database = database
    }

    /// The last run's; nil where none has left one.
    private var identity: String? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Forgets the last run's, for a new beginning that is meant.
    func remove() { unlink(path) }

    /// Whether the last run had a database where there is none now.
    var hasVanished: Bool { identity != nil && FileStamp(path: database)?.bytes ?? 0 == 0 }

    /// Refuses to make a database where the last run had one.
    func refuseVanished() throws(MillError) {
        guard hasVanished else { return }
        throw MillError(
            stage: .loading, path: database, what: "the database of the last run is gone",
            hint: "restore the last backup; for a new beginning, receiptmill init --database \(database)",
            exitStatus: .missingInput)
    }

    /// Refuses a database that is not the last run's, and remembers it where it is the first.
    func refuseOther(_ opened: LoadDatabase, remembering: Bool = true) throws(MillError) {
        let found = try opened.identity()
        guard let identity else {
            guard remembering else { return }
            do { try OutputFile.write(to: path, mode: 0o600) { try $0(found + "\n") } } catch {
                throw MillError(error, at: .loading, path: path)
            }
            return
        }
        guard identity != found else { return }
        throw MillError(
            stage: .loading, path: database, what: "is another database than the last run's",
            hint: "restore a backup of that one; if this one is meant, rm \(path)", exitStatus: .cannotCreate)
    }
}
