internal import Foundation
internal import MillDatabase
internal import MillSystem

/// A file beside the database, `mill.sqlite-start`, that states how a run failed if the run's row can't state it: the
/// run could not begin, or the disk had no space to update the row.
///
/// The note stays until a run succeeds; then the file is overwritten with spaces. Its length is always one disk block,
/// and a pipeline run creates the file if it is missing. So a note can be written in place even if the disk is full or
/// no new file can be created in the folder.
package struct FailureNote: Sendable, Hashable, Codable {
    /// Milliseconds since 1970.
    package let failedAt: Int64
    /// The run whose row does not record its end; nil if the run could not begin and has no row.
    package let run: Int64?
    package let exitStatus: Int32
    package let reason: String
    package let advice: String?
    package let faults: Int

    package init(of run: RunRecord?, _ reason: RunReason) {
        (failedAt, self.run, exitStatus) = (LoadProgress.now, run?.id, reason.exitStatus)
        self.reason = String(reason.text.prefix(Self.maximumText))
        advice = reason.advice.map { String($0.prefix(Self.maximumText)) }
        faults = reason.faults
    }

    /// Length of the file in bytes: one block on most disks.
    private static let length = 4096
    /// The maximum number of characters of reason and advice, so that even a message with a long list fits into the
    /// file.
    private static let maximumText = 1000

    private static func path(of database: String) -> String { RealPath.of(database) + DatabaseName.failureEnding }

    /// Reads the note beside a database; nil if there is none or it can't be read.
    package init?(of database: String) {
        guard let data = FileManager.default.contents(atPath: Self.path(of: database)),
            let note = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
        self = note
    }

    /// Creates the file, so that a note can be written later even if the disk is full. An existing note stays.
    package static func reserve(of database: String) {
        let path = path(of: database)
        if FileStamp(path: path)?.bytes ?? 0 < length { replace(path, by: []) }
    }

    package func write(of database: String) {
        guard let data = try? JSONEncoder().encode(self) else { return }
        Self.replace(Self.path(of: database), by: [UInt8](data))
    }

    /// Removes the note after a run that succeeded.
    package static func clear(of database: String) {
        let path = path(of: database)
        if FileStamp(path: path) != nil { replace(path, by: []) }
    }

    /// Replaces the file, or writes it in place if no other file can be created. Failures are ignored: the run's own
    /// failure has already been reported and decides the exit status.
    private static func replace(_ path: String, by text: [UInt8]) {
        let padded = text + [UInt8](repeating: UInt8(ascii: " "), count: max(length - text.count, 0))
        do {
            try OutputFile.write(to: path, mode: 0o600) { (descriptor: Int32) in
                try padded.withUnsafeBytes { try TextOutput.write($0, to: descriptor, named: path) }
            }
        } catch {
            overwrite(path, by: padded)
        }
    }

    private static func overwrite(_ path: String, by text: [UInt8]) {
        let opened = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return }
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { return }
        if text.withUnsafeBytes({ TextOutput.isWritten($0, to: opened) }) { _ = ftruncate(opened, off_t(text.count)) }
    }
}
