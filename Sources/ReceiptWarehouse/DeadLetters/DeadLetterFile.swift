internal import CZlib
internal import Foundation
internal import GRDB
internal import MillDatabase
internal import MillJSON
package import MillSystem
internal import ReceiptArchive

/// The dead-letter file: gzip, every kept line whose rejection is open as a letter.
package struct DeadLetterFile {
    private let path: String
    /// Of the run's archives: its lines are theirs.
    private let limits: Limits

    package init(path: String, limits: Limits) {
        self.path = path
        self.limits = limits
    }

    /// Whether what lies at a path is a dead-letter file.
    package static func lies(at path: String, limits: Limits) -> Bool {
        guard let file = try? InputFile(path: path, isFound: true),
            let form = try? DeadLetterForm.of(file, limits: limits)
        else { return false }
        return form == .lines
    }

    /// Bytes of lines that are read from the database at once.
    private static let batchSize = 1 << 18

    /// Writes the file anew; where no line is kept, removes it.
    ///
    /// - Returns: how many letters it holds.
    /// - Throws: ``MillError`` where it can't be written, or must not be replaced.
    package func write(from database: LoadDatabase, keptSince time: Int64) throws(MillError) -> Int {
        try refuseReplacing(database)
        do {
            var letters = 0
            guard try database.keptLines(after: 0, since: time, upTo: 1).first != nil else {
                if FileManager.default.fileExists(atPath: path), unlink(path) != 0 { throw Self.failure(path) }
                return 0
            }
            try OutputFile.write(to: path, mode: 0o600) { descriptor in
                let output = try GzipOutput(descriptor: descriptor, path: path)
                var json = JSONWriter()
                var last: Int64 = 0
                while true {
                    let lines = try database.keptLines(after: last, since: time, upTo: Self.batchSize)
                    guard let final = lines.last else { break }
                    for line in lines {
                        line.write(to: &json)
                        try json.withBytes { (bytes) throws(MillError) in try output.write(bytes) }
                        json.removeAll()
                    }
                    (last, letters) = (final.id, letters + lines.count)
                }
                try output.finish()
                guard fsync(descriptor) == 0 else { throw Self.failure(path) }
            }
            return letters
        } catch {
            throw MillError(error, at: .reporting, path: path)
        }
    }

    /// Refuses a file that can't be written, and one that may be replaced by nothing that the
    /// database holds: no dead-letter file, or one with a letter that was changed, or whose
    /// line is kept nowhere else, while its rejection is open.
    package func refuseReplacing(_ database: LoadDatabase) throws(MillError) {
        try OutputFile.refuseUnwritable(path)
        guard let bytes = FileStamp(path: path)?.bytes, bytes > 0, isRegularFile else { return }
        let hint =
            "load it (receiptmill ingest \(path) with the options of this run), or move it away; the next run then "
            + "writes the file anew"
        do throws(MillError) {
            let reader = try DeadLetterReader(checking: InputFile(path: path), limits: limits)
            while let letter = try reader.next() {
                guard try isHeld(try letter.get(), by: database) else {
                    throw MillError(
                        stage: .reporting, path: path, line: reader.line,
                        what: "holds a line that was corrected, or stands nowhere else, and is not loaded", hint: hint,
                        exitStatus: .cannotCreate)
                }
            }
        } catch {
            var refusal = error
            (refusal.exitStatus, refusal.hint) = (.cannotCreate, hint)
            throw refusal
        }
    }

    private var isRegularFile: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private func isHeld(_ letter: DeadLetter, by database: LoadDatabase) throws(MillError) -> Bool {
        guard let state = try database.state(ofLine: letter.line, in: letter.archive) else { return false }
        return state.status != .open || state.kept == letter.text
    }

    fileprivate static func failure(_ path: String) -> MillError {
        MillError(
            stage: .reporting, path: path, what: "writing failed: \(String(cString: strerror(errno)))",
            hint: "check the space left on the disk", exitStatus: .ioError)
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
            throw DeadLetterFile.failure(path)
        }
    }

    deinit { if let file { gzclose(file) } }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MillError) {
        guard gzwrite(file, bytes.baseAddress, UInt32(bytes.count)) == Int32(bytes.count) else {
            throw DeadLetterFile.failure(path)
        }
    }

    func finish() throws(MillError) {
        defer { file = nil }
        guard gzclose(file) == Z_OK else { throw DeadLetterFile.failure(path) }
    }
}
