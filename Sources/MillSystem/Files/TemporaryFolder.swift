internal import Foundation

/// The folder in which temporary files are created.
package enum TemporaryFolder {
    /// The variables that name the folder of temporary files, in the order in which SQLite reads them; for copies of
    /// pipes, only the second is used.
    private static let variables = ["SQLITE_TMPDIR", "TMPDIR"]

    /// The folder in which SQLite sorts rows that don't fit into its memory: the first writable candidate
    /// (sqlite.org/tempfiles.html, 5).
    package static var ofSQLite: String {
        let environment = ProcessInfo.processInfo.environment
        let folders = variables.map { environment[$0] } + ["/var/tmp", "/usr/tmp", "/tmp"]
        return folders.compactMap(\.self).first { access($0, W_OK | X_OK) == 0 } ?? "."
    }

    /// Refuses a folder that the environment names and that can't be used, because SQLite would silently skip it and
    /// fill another disk.
    package static func check() throws(MillError) {
        for variable in variables {
            guard let folder = ProcessInfo.processInfo.environment[variable], !folder.isEmpty else { continue }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue,
                access(folder, W_OK | X_OK) == 0
            else {
                throw MillError(
                    stage: .loading, path: folder,
                    what: "\(variable) names it, and it is no folder that may be written to",
                    hint: "make it, set \(variable) to a folder with space, or unset it", exitStatus: .cannotCreate)
            }
        }
    }
}
