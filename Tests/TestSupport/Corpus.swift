public import Foundation

/// Real receipts, kept outside the repository because they are not ours to
/// publish. A folder of `NAME.b64` beside `NAME.expected.json`.
public enum Corpus {
    /// The folder: `RECEIPTMILL_CORPUS`, else `../shared/corpus` beside the
    /// checkout; nil where neither exists.
    public static let folder: URL? = {
        let beside = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/corpus")
        let stated = ProcessInfo.processInfo.environment["RECEIPTMILL_CORPUS"].map { URL(filePath: $0) }
        let folder = stated ?? beside
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Whether tests of real receipts can run; says so where they can't.
    public static let isPresent: Bool = {
        if folder == nil {
            FileHandle.standardError.write(
                Data("SKIPPED: tests of real receipts; RECEIPTMILL_CORPUS names no folder of them\n".utf8))
        }
        return folder != nil
    }()

    /// Names of the receipts that begin with `prefix`, in order.
    public static func names(_ prefix: String = "") -> [String] {
        guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return []
        }
        return files.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".b64") }.map { String($0.dropLast(4)) }.sorted()
    }

    /// The base64 text of a receipt, on one line.
    public static func text(_ name: String) throws -> String {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return try String(contentsOf: folder.appending(path: "\(name).b64"), encoding: .utf8)
            .filter { !$0.isWhitespace }
    }

    public static func receipt(_ name: String) throws -> [UInt8] {
        guard let data = Data(base64Encoded: try text(name)) else { throw CocoaError(.fileReadCorruptFile) }
        return [UInt8](data)
    }

    public static func expectation(_ name: String) throws -> [String: Any] {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        let data = try Data(contentsOf: folder.appending(path: "\(name).expected.json"))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
}
