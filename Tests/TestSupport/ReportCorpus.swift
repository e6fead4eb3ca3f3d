public import Foundation

/// Report files of the store that others published, kept beside the receipts of ``Corpus``: a folder `apple-reports`
/// with a list of the files, `MANIFEST.tsv`.
public enum ReportCorpus {
    /// The folder; nil where it does not exist.
    public static let folder: URL? = {
        guard let folder = Corpus.folder?.deletingLastPathComponent().appending(path: "apple-reports") else {
            return nil
        }
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Whether tests of published reports can run; says so where they can't.
    public static let isPresent: Bool = {
        if folder == nil {
            FileHandle.standardError.write(
                Data("SKIPPED: tests of published reports, which are not beside the folder RECEIPTMILL_CORPUS\n".utf8))
        }
        return folder != nil
    }()

    /// A line of the list, by the list's own columns.
    public static func manifest() throws -> [[String: String]] {
        let lines = String(decoding: try bytes("MANIFEST.tsv"), as: UTF8.self).split(separator: "\n")
        let rows = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        guard let names = rows.first else { return [] }
        return rows.dropFirst().map { Dictionary(zip(names, $0)) { first, _ in first } }
    }

    /// The content of a file.
    public static func bytes(_ name: String) throws -> [UInt8] {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }
}
