internal import Foundation
internal import GRDB
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust

/// Archives, one after another: which one the lines at hand are of, and how much
/// of it is settled.
extension Loader {
    /// Begins an archive, or goes on with it where an earlier run stopped.
    ///
    /// - Parameters:
    ///   - beginning: the content that an earlier run has loaded and that has grown
    ///     to this.
    ///   - origins: what its lines stand for, where it is a mended rejects file.
    ///   - isReadAgain: whether lines come for which no submission stands yet.
    func begin(
        _ tag: ArchiveID, appendedTo beginning: SHA256Digest? = nil, origins: LineOrigins? = nil,
        isReadAgain: Bool = false
    ) throws(MillError) {
        try write { db in
            if let beginning { try LoadDatabase.extend(beginning, to: tag, db) }
            try db.execute(
                sql: """
                    INSERT INTO archive (name, sha256, bytes, first_loaded_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (sha256) DO NOTHING
                    """,
                arguments: [tag.name, Data(tag.sha256.bytes), tag.bytes, Self.now])
            let row = try Row.fetchOne(
                db, sql: "SELECT archive_id, lines, loaded_lines FROM archive WHERE sha256 = ?",
                arguments: [Data(tag.sha256.bytes)])
            archive = row.map {
                LoadingArchive(
                    number: $0[0], lines: $0[1], loadedLines: $0[2], origins: origins, isReadAgain: isReadAgain)
            }
        }
    }

    /// Notes where an archive lies that was begun, or is known.
    func place(_ identity: ArchiveFingerprint, at path: String) throws(MillError) {
        guard identity.name != "-" else { return }
        let folder = RealPath.ofFolder(path)
        try write { db in
            try LoadDatabase.place(identity, in: folder, at: Self.now, db)
        }
    }

    /// Lines of the archive at hand that are settled; nil where none is.
    var processedLines: Int64? { archive?.lines }

    /// Lines of the archive at hand that were changed and can't be read either.
    var unmendedLines: UnmendedLines? { archive?.unmended }

    /// Ends an archive; one that was damaged stays incomplete.
    func end(isComplete: Bool) throws(MillError) {
        guard let archive else { return }
        if archive.isReadAgain { counts.passed += Int(archive.lines) - archive.linesRead }
        try write { db in
            try Self.saveProgress(of: archive, db)
            if isComplete {
                try db.execute(
                    sql: "UPDATE archive SET complete = 1, completed_at = ? WHERE archive_id = ? AND complete = 0",
                    arguments: [Self.now, archive.number])
            }
        }
        self.archive = nil
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    static func saveProgress(of archive: LoadingArchive, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE archive SET lines = ?, loaded_lines = ? WHERE archive_id = ?",
            arguments: [archive.lines, archive.loadedLines, archive.number])
    }
}
