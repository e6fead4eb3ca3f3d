internal import Foundation
package import MillDatabase
package import MillSystem
package import ReceiptWarehouse

/// A file beside the database, `mill.sqlite-identity`, that states how the last run left the database. With it, a run
/// recognises that the database is missing, was replaced by another one, or was restored from an older copy.
///
/// The file is text: the identity, then `lines` and the number of archive lines in the database.
package struct IdentityFile {
    private let database: String
    private var path: String { RealPath.of(database) + DatabaseName.identityEnding }

    package init(of database: String) {
        self.database = database
    }

    private var text: String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The identity of the last run's database; nil if no run has left one.
    private var identity: String? {
        text?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    /// The number of archive lines in the database after the last run; nil if unknown.
    private var lines: Int? {
        let words = text?.split(whereSeparator: \.isWhitespace) ?? []
        return words.firstIndex(of: "lines").flatMap { $0 + 1 < words.count ? Int(words[$0 + 1]) : nil }
    }

    /// Removes the file, if a person creates a new database on purpose.
    package func remove() { unlink(path) }

    /// Whether the last run had a database and it no longer exists.
    package var hasVanished: Bool { text != nil && FileStamp(path: database)?.bytes ?? 0 == 0 }

    /// The path of the identity file if it exists but states no identity, for instance after a power cut or with a full
    /// disk; else nil.
    package var lost: String? { text != nil && identity == nil ? path : nil }

    /// Throws if the last run's database is missing, so that no new one is created.
    package func refuseVanished() throws(MillError) {
        guard hasVanished else { return }
        throw MillError(
            stage: .loading, path: database, what: "the database of the last run is gone",
            hint: "restore the last backup; for a new beginning, receiptmill init --database \(database)",
            exitStatus: .missingInput)
    }

    /// Throws if the database is not the last run's. If no database is recorded, records the opened one.
    package func refuseOther(_ opened: Warehouse, remembering: Bool = true) throws(MillError) {
        let found = try opened.stamp()
        try refuseOther(found.identity)
        if identity == nil, remembering { try remember(found) }
    }

    /// Throws if the database is not the last run's.
    ///
    /// - Parameter found: the opened database's identity, as in ``DatabaseStamp``.
    package func refuseOther(_ found: String) throws(MillError) {
        guard let identity, identity != found else { return }
        throw MillError(
            stage: .loading, path: database, what: "is another database than the last run's",
            hint: "restore a backup of that one; if this one is meant, rm \(path)", exitStatus: .cannotCreate)
    }

    /// The fault of a database that holds fewer lines than after the last run, and so is an older copy; nil for any
    /// other database.
    ///
    /// - Parameter reloadCommand: the command that loads archives which were moved since that copy.
    package func faultOfOlderCopy(_ opened: Warehouse, reloadCommand: String) throws(MillError) -> MillError? {
        let now = try opened.stamp().lines
        guard let lines, lines > now else { return nil }
        return MillError(
            stage: .loading, path: database,
            what:
                "was restored from an older copy: it holds \(now) lines of archives, and held \(lines) after the last run",
            hint:
                "\(reloadCommand) loads archives that were moved since; have those delivered again that were "
                + "deleted since; reported once",
            exitStatus: .badData)
    }

    /// Records how a run leaves the database.
    package func remember(_ stamp: DatabaseStamp) throws(MillError) {
        let text = "\(stamp.identity)\nlines \(stamp.lines)\n"
        guard text != self.text else { return }
        do {
            try OutputFile.write(to: path, mode: 0o600) { descriptor in
                try TextOutput.write(text, to: descriptor, named: path)
                // If a file is renamed before its text is on the disk, it may be empty after a power cut.
                guard fsync(descriptor) == 0 else { throw failure(errno) }
            }
            if let code = FolderSync.fault(of: PathParts.folder(of: path)) { throw failure(code) }
        } catch {
            throw MillError(error, at: .loading, path: path)
        }
    }

    private func failure(_ code: Int32) -> MillError {
        MillError(
            stage: .loading, path: path, what: "can't be written: \(String(cString: strerror(code)))",
            hint: "check the disk and the space left on it", exitStatus: .writing(code))
    }
}
