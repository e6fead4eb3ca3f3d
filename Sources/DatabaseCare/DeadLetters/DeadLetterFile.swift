internal import CZlib
internal import Foundation
internal import MillDatabase
internal import MillJSON
package import MillSystem
package import ReceiptArchive
internal import ReceiptTrust
package import ReceiptWarehouse

/// The dead-letter file, which is compressed by gzip. It has a line for each open rejection whose line the database
/// keeps.
package struct DeadLetterFile {
    private let path: String
    /// The run's limits for lines of archives, from which the limits for this file's lines follow.
    private let limits: Limits

    package init(path: String, limits: Limits) {
        self.path = path
        self.limits = limits
    }

    /// Whether the file at a path is a dead-letter file.
    package static func lies(at path: String, limits: Limits) -> Bool {
        guard let file = try? InputFile(path: path, isFound: true),
            let form = try? DeadLetterForm.of(file, limits: limits)
        else { return false }
        return form == .lines
    }

    /// The number of bytes of kept lines that are read from the database at once.
    private static let batchSize = 1 << 18

    /// Writes the file again, or removes it if no line is kept.
    ///
    /// - Returns: the number of lines in the file.
    /// - Throws: ``MillError`` if the file can't be written, or must not be replaced.
    package func write(from database: Warehouse, keptSince time: Int64) throws(MillError) -> Int {
        try refuseReplacing(database)
        do {
            guard try !database.rejections.keptLines(after: 0, since: time, upTo: 1).isEmpty else {
                if FileManager.default.fileExists(atPath: path), unlink(path) != 0 { throw failure() }
                return 0
            }
            var letters = 0
            try OutputFile.write(to: path, mode: 0o600) { descriptor in
                // `gzclose` closes its descriptor, and the file's own descriptor is still needed.
                let copy = dup(descriptor)
                guard let output = gzdopen(copy, "wb") else {
                    close(copy)
                    throw failure()
                }
                do { letters = try writeLetters(of: database, keptSince: time, to: output) } catch {
                    gzclose(output)
                    throw error
                }
                guard gzclose(output) == Z_OK, fsync(descriptor) == 0 else { throw failure() }
            }
            return letters
        } catch {
            throw MillError(error, at: .reporting, path: path)
        }
    }

    private func writeLetters(
        of database: Warehouse, keptSince time: Int64, to output: gzFile
    ) throws(MillError) -> Int {
        var json = JSONWriter()
        let digest = try MillError.wrapping(at: .reporting) { () throws(OpenSSLError) in try MessageDigest() }
        var (last, letters): (Int64, Int) = (0, 0)
        while case let lines = try database.rejections.keptLines(after: last, since: time, upTo: Self.batchSize),
            let final = lines.last
        {
            for var line in lines {
                line.digest = try MillError.wrapping(at: .reporting) { () throws(OpenSSLError) in
                    try digest.sha256(line.text.span, in: line.text.indices)
                }
                DeadLetter.write(line, to: &json)
                let isWritten = json.withBytes { gzwrite(output, $0.baseAddress, UInt32($0.count)) == Int32($0.count) }
                guard isWritten else { throw failure() }
                json.removeAll()
            }
            (last, letters) = (final.id, letters + lines.count)
        }
        return letters
    }

    /// Refuses to replace a file that can't be written, that is not a dead-letter file, or that has a line with an open
    /// rejection which the database does not keep, because the line was corrected or is kept nowhere else. A line of a
    /// retracted archive may be lost, unless it was corrected.
    package func refuseReplacing(_ database: Warehouse) throws(MillError) {
        try OutputFile.refuseUnwritable(path)
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let hint =
            "load it (receiptmill ingest \(path) with the options of this run), or move it away; the next run then "
            + "writes the file anew"
        do throws(MillError) {
            let reader = try DeadLetterReader(checking: InputFile(path: path), limits: limits)
            while let letter = try reader.next() {
                let letter = try letter.get()
                let state = try database.rejections.state(ofLine: letter.line, in: letter.archive)
                guard let state else {
                    let isRetracted = try database.archives.isRetracted(letter.archive)
                    if isRetracted, try letter.isUnchanged() { continue }
                    throw unloaded(letter, reader.line, isRetracted: isRetracted)
                }
                guard state.status != .open || state.kept == letter.text else {
                    throw MillError(
                        stage: .reporting, path: path, line: reader.line,
                        what: "holds a line that was corrected, or stands nowhere else, and is not loaded", hint: hint,
                        exitStatus: .cannotCreate)
                }
            }
        } catch {
            // An error of SQLite is not caused by the file, so the hint about the file would mislead.
            if error.exitStatus == .cannotCreate || error.databaseFault != nil { throw error }
            var refusal = error
            (refusal.exitStatus, refusal.hint) = (.cannotCreate, hint)
            throw refusal
        }
    }

    /// The error for a line of an archive that is not in the database.
    private func unloaded(_ letter: DeadLetter, _ line: Int, isRetracted: Bool) -> MillError {
        let what = isRetracted ? "was retracted" : "the database does not know, as after an older backup was restored"
        let hint =
            "load that archive (receiptmill run --reload-moved), then this file; or move the dead-letter file away"
        return MillError(
            stage: .reporting, path: path, line: line,
            what: "holds lines of an archive that \(what): \(letter.archive.hex)",
            hint: hint, exitStatus: .cannotCreate)
    }

    private func failure() -> MillError {
        MillError(
            stage: .reporting, path: path, what: "writing failed: \(String(cString: strerror(errno)))",
            hint: "check the space left on the disk", exitStatus: .ioError)
    }
}
