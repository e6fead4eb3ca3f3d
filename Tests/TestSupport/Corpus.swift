public import Foundation

/// Real receipts, each a file `NAME.b64` beside `NAME.expected.json`: those of the folder
/// `RECEIPTMILL_CORPUS`, else of `../shared/corpus` beside the checkout; where there is neither,
/// those of `Tests/RealReceipts`, which are published under licences that allow it.
public enum Corpus {
    /// The folder outside the repository; nil where there is none.
    public static let folder: URL? = {
        let stated = ProcessInfo.processInfo.environment["RECEIPTMILL_CORPUS"].map { URL(filePath: $0) }
        let folder = stated ?? Repository.file("../shared/corpus").standardizedFileURL
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Whether tests of receipts that the repository does not have can run; says so where they can't.
    public static let isWhole: Bool = {
        let published = Repository.file("Tests/RealReceipts").resolvingSymlinksInPath()
        let isWhole = folder.map { $0.resolvingSymlinksInPath().path != published.path } ?? false
        if !isWhole {
            FileHandle.standardError.write(
                Data(
                    """
                    tests of real receipts take the \(files.count) of Tests/RealReceipts; some are SKIPPED, since \
                    RECEIPTMILL_CORPUS names no folder of others

                    """.utf8))
        }
        return isWhole
    }()

    /// Files by the receipts' names, those in subfolders too.
    private static let files: [String: URL] = {
        let folder = Self.folder ?? Repository.file("Tests/RealReceipts")
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let texts = (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "b64" }
        return Dictionary(texts.map { ($0.deletingPathExtension().lastPathComponent, $0) }) { first, _ in first }
    }()

    /// Names of the receipts that begin with `prefix`, in order.
    public static func names(_ prefix: String = "") -> [String] {
        files.keys.filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// The file of a receipt in base64.
    public static func file(_ name: String) throws -> URL {
        guard let file = files[name] else { throw CocoaError(.fileNoSuchFile) }
        return file
    }

    /// The base64 text of a receipt, on one line.
    public static func text(_ name: String) throws -> String {
        try String(contentsOf: file(name), encoding: .utf8).filter { !$0.isWhitespace }
    }

    public static func receipt(_ name: String) throws -> [UInt8] {
        guard let data = Data(base64Encoded: try text(name)) else { throw CocoaError(.fileReadCorruptFile) }
        return [UInt8](data)
    }

    /// What an independent reader found.
    public static func expectation(_ name: String) throws -> [String: Any] {
        let file = try file(name).deletingPathExtension().appendingPathExtension("expected.json")
        return try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }
}
