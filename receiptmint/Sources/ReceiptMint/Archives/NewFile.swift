internal import Foundation

/// A file that the mint makes, with errors that name it.
struct NewFile {
    private let path: String
    private let handle: FileHandle

    init(_ folder: URL, _ name: String) throws {
        path = folder.appending(path: name).path
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw MintError.cannotWrite(path: path, cause: String(cString: strerror(errno))) }
        self.handle = handle
    }

    /// Makes a folder if it doesn't exist.
    static func makeFolder(_ folder: URL) throws {
        try naming(folder.path) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }

    /// Writes a whole file.
    static func write(_ bytes: [UInt8], to name: String, in folder: URL) throws {
        let file = try NewFile(folder, name)
        try file.write(bytes)
        try file.close()
    }

    func write(_ bytes: [UInt8]) throws { try Self.naming(path) { try handle.write(contentsOf: bytes) } }

    func close() throws { try handle.close() }

    private static func naming(_ path: String, _ body: () throws -> Void) throws {
        do { try body() } catch { throw MintError.cannotWrite(path: path, cause: error.localizedDescription) }
    }
}
