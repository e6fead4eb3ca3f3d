public import Foundation

/// The project's own files, for tests that read them.
public enum Repository {
    /// A file or folder by its path from the project's root.
    public static func file(_ path: String) -> URL {
        URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.appending(path: path)
    }
}
