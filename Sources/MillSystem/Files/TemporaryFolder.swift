internal import Foundation

/// Where temporary files are made.
package enum TemporaryFolder {
    /// The folder in which SQLite sorts what its memory does not hold: the first of these that may be
    /// written to (sqlite.org/tempfiles.html, 5).
    package static var ofSQLite: String {
        let environment = ProcessInfo.processInfo.environment
        let folders = [environment["SQLITE_TMPDIR"], environment["TMPDIR"], "/var/tmp", "/usr/tmp", "/tmp"]
        return folders.compactMap(\.self).first { access($0, W_OK | X_OK) == 0 } ?? "."
    }
}
