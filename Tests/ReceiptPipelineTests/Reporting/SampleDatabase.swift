internal import Foundation
internal import GRDB
import ReceiptSQL

@testable import ReceiptReports

/// A database made from the schema and the views alone, with rows set by hand;
/// removed when the last reference goes.
final class SampleDatabase {
    let folder: URL
    var path: String { folder.appending(path: "mill.sqlite").path }

    init(rows: String = "") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "receiptmill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: folder.appending(path: "mill.sqlite").path)
        try queue.write { database in
            for file in SQLFile.files(in: "schema").sorted(by: { $0.name == "v2" && $1.name != "v2" }) {
                try database.execute(sql: file.text)
            }
            for file in SQLFile.files(in: "views") { try database.execute(sql: file.text) }
            try database.execute(sql: rows + Self.keys)
        }
        try queue.close()
    }

    /// What the loader keeps beside the rows: lineages, and numbers for identifiers,
    /// which it would have made by another rule.
    private static let keys = """
        ;
        INSERT INTO receipt_lineage (hash_prefix, receipt_id)
        SELECT substr(device_hash, 1, 6), receipt_id
        FROM receipt
        WHERE opaque_value IS NOT NULL AND device_hash IS NOT NULL;
        UPDATE submission SET
            device_tag = (
                SELECT min(same.submission_id)
                FROM device_submissions AS same
                JOIN device_submissions AS own ON own.device_key = same.device_key
                WHERE own.submission_id = submission.submission_id),
            account_tag = (SELECT min(same.rowid) FROM submission AS same WHERE same.account_id = submission.account_id)
        """

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// A report's result as text.
    func output(
        of report: Report, with settings: [(name: String, text: String)] = [], as format: ReportFormatName = .csv
    ) throws -> String {
        var text = ""
        try ReportRun(report, settings: settings).write(fromDatabase: path, as: format) { text += $0 }
        return text
    }

    func output(
        of name: String, with settings: [(name: String, text: String)] = [], as format: ReportFormatName = .csv
    ) throws -> String {
        try output(of: ReportCatalog().report(named: name), with: settings, as: format)
    }
}

/// A golden text with CSV's line ends.
func csv(_ text: String) -> String { text.split(separator: "\n").map { $0 + "\r\n" }.joined() }
