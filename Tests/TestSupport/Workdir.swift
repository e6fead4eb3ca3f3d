public import Foundation

/// A folder of its own that is gone with this object.
public final class Workdir: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "receiptmill-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

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
