internal import CZlib
internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillSystem
internal import ReceiptArchive

/// The rejected lines that stand, as they were, in a gzip file: to be mended and
/// loaded again.
struct RejectsFile {
    let path: String
    /// Of the run's archives: its lines are theirs.
    let limits: Limits
    /// What loads it as the night would, where that is known.
    var command: String?

    /// What a rejects file holds.
    struct Summary: Sendable, Hashable {
        var lines = 0
        /// Rejections that stand and whose line is not in it.
        var absent = 0
    }

    private var name: String { URL(fileURLWithPath: path).lastPathComponent }

    /// Writes the file of a run, if it wants one, and says in its summary what
    /// became of it. A run that is asked to stop leaves it to the next.
    static func write(
        _ file: RejectsFile?, of loadDatabase: LoadDatabase, _ summary: inout IngestSummary, _ stop: CancellationFlag,
        _ tell: (Ingest.Event) -> Void
    ) {
        guard let file, !summary.isStopped else { return }
        do throws(MillError) {
            let written = try stop.interrupting([loadDatabase.queue]) { () throws(MillError) in
                try file.write(from: loadDatabase)
            }
            summary.rejectsLines = written.lines
            summary.rejectsAbsent = written.absent
        } catch {
            guard !stop.explains(error) else {
                summary.isStopped = true
                return
            }
            summary.failures.append(error)
            tell(.failed(error))
        }
    }

    /// Writes the file anew; where nothing stands, removes it.
    ///
    /// - Throws: ``MillError`` if it can't be written, or holds what somebody
    ///   has mended and not loaded yet.
    func write(from loadDatabase: LoadDatabase) throws(MillError) -> Summary {
        try refuse(loadDatabase)
        return try loadDatabase.access { db in
            var summary = Summary()
            summary.absent = try Int.fetchOne(db, sql: Self.absent) ?? 0
            let beginEdition = { try LoadDatabase.beginEdition(of: name, at: RealPath.of(path), db) }
            if try Row.fetchOne(db, sql: "SELECT 1 \(Self.standing) LIMIT 1") == nil {
                try beginEdition()
                unlink(path)
            } else {
                try OutputFile.write(to: path, mode: 0o600) { descriptor in
                    let output = try GzipOutput(descriptor: descriptor, path: path)
                    let rows = try Row.fetchCursor(db, sql: "SELECT octets \(Self.standing) ORDER BY number")
                    while let row = try rows.next() {
                        try output.write([UInt8](row[0] as Data) + [UInt8(ascii: "\n")])
                        summary.lines += 1
                    }
                    try output.finish()
                    try sync { fsync(descriptor) == 0 }
                    try beginEdition()
                }
            }
            // Not before the disk holds it: else what lies there after a power cut passes for the newest.
            try sync { (try? ProcessedFile.sync(RealPath.ofFolder(path))) != nil }
            try LoadDatabase.endEdition(of: name, db)
            return summary
        }
    }

    private func sync(_ isDone: () -> Bool) throws(MillError) {
        guard isDone() else { throw Self.failure(path) }
    }

    fileprivate static func failure(_ path: String) -> MillError {
        MillError(
            stage: .reporting, path: path, what: "writing failed: \(String(cString: strerror(errno)))",
            hint: "check the space left on the disk", exitStatus: .ioError)
    }

    private static let standing = "FROM rejected_line WHERE octets IS NOT NULL"
    private static let absent = """
        SELECT count(*) FROM rejection
        WHERE cleared_by IS NULL AND NOT EXISTS (
            SELECT 1 FROM rejected_line AS kept
            WHERE kept.archive_id = rejection.archive_id AND kept.line = rejection.line)
        """

    /// Refuses a file that can't be written, also where nothing is to be, and one
    /// that somebody has mended and not loaded yet.
    func refuse(_ loadDatabase: LoadDatabase) throws(MillError) {
        try OutputFile.refuseUnwritable(path)
        try refuseUnloadedChanges(loadDatabase)
    }

    private func refuseUnloadedChanges(_ loadDatabase: LoadDatabase) throws(MillError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let file = try InputFile(path: path)
        let sha256 = try file.digest().sha256
        if try loadDatabase.isComplete(sha256), try loadDatabase.unmendedLines(of: sha256) == 0 { return }
        try file.rewind(upTo: nil)
        let written = try loadDatabase.writtenRejects(ofFile: name) ?? WrittenRejects()
        let changed = try LineOrigins(of: file, limits: limits, among: written).newLines
        guard changed > 0 else { return }
        throw MillError(
            stage: .reporting, path: path,
            what: "was changed since it was written, and \(changed) of its lines are not loaded",
            hint: "load it (\(command ?? "receiptmill ingest, with trust, keys and limits as before")), "
                + "or move it away; the next run then writes it anew",
            exitStatus: .cannotCreate)
    }
}

/// gzip to an open file, by zlib's own file functions.
private final class GzipOutput {
    private var file: gzFile?
    private let path: String

    init(descriptor: Int32, path: String) throws(MillError) {
        self.path = path
        // gzclose closes what it is given.
        let copy = dup(descriptor)
        file = gzdopen(copy, "wb")
        guard file != nil else {
            close(copy)
            throw RejectsFile.failure(path)
        }
    }

    deinit { if let file { gzclose(file) } }

    func write(_ bytes: [UInt8]) throws(MillError) {
        guard gzwrite(file, bytes, UInt32(bytes.count)) == Int32(bytes.count) else { throw RejectsFile.failure(path) }
    }

    func finish() throws(MillError) {
        defer { file = nil }
        guard gzclose(file) == Z_OK else { throw RejectsFile.failure(path) }
    }
}
