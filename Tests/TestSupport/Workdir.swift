public import Foundation

/// A folder of its own that is gone with this object.
public final class Workdir: Sendable {
    public let url: URL

    /// A file system in memory first, where there is one with enough space: on a disk, tests would
    /// wait for writes half of their time.
    private static let fileSystems: [String] = {
        let (memory, disk) = ("/dev/shm", FileManager.default.temporaryDirectory.path)
        var status = statvfs()
        let hasRoom = statvfs(memory, &status) == 0 && UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 2 << 30
        return hasRoom ? [memory, disk] : [disk, memory]
    }()

    public init() throws {
        url = URL(filePath: Self.fileSystems[0]).appending(path: Self.newName())
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of what isn't there yet, on another file system than this folder.
    public static func pathElsewhere() -> String { "\(fileSystems[1])/\(newName())" }

    private static func newName() -> String { "receiptmill-test-\(UUID().uuidString)" }

    public func path(_ name: String) -> String { url.appending(path: name).path }

    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return path(name)
    }

    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    public func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url.appending(path: name)))
    }

    /// Runs OpenSSL's command-line tool here; its output, nil where it failed.
    public func openssl(_ arguments: String...) throws -> String? { try openssl(arguments) }

    public func openssl(_ arguments: [String]) throws -> String? {
        let result = try Command("openssl", arguments, in: url).run()
        return result.status == 0 ? result.output : nil
    }
}
