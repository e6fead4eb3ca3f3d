package import Foundation
internal import GRDB
internal import GRDBSQLite
internal import MillDatabase
package import ReceiptReports
internal import TestSupport

/// A database made from the schema and the views alone, with rows set by hand;
/// removed when the last reference goes.
package final class SampleDatabase: Sendable {
    private let workdir: Workdir
    package var folder: URL { workdir.url }
    package var path: String { workdir.path("mill.sqlite") }

    /// The schema and the views, made once in a process.
    private static let empty = Result {
        let workdir = try Workdir()
        let queue = try DatabaseQueue(path: workdir.path("mill.sqlite"))
        try queue.writeWithoutTransaction { database in
            try Schema.prepare(database)
            try Schema.buildIndices(database, workers: 1)
            try ModelRefresh.run(database, isWhole: true)
        }
        try queue.close()
        return workdir
    }

    package init(rows: String = "") throws {
        workdir = try Workdir()
        try FileManager.default.copyItem(atPath: Self.empty.get().path("mill.sqlite"), toPath: path)
        var configuration = Configuration()
        // GRDB notes every column that a statement names, of views over views thousands.
        configuration.prepareDatabase { sqlite3_set_authorizer($0.sqliteConnection, nil, nil) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: rows + Self.keys) }
        try queue.writeWithoutTransaction { _ = try ModelRefresh.run($0, isWhole: true) }
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
                FROM internal_device_submissions AS same
                JOIN internal_device_submissions AS own ON own.device_key = same.device_key
                WHERE own.submission_id = submission.submission_id),
            account_tag = (SELECT min(same.rowid) FROM submission AS same WHERE same.account_id = submission.account_id)
        """

    package func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// A report's result as text.
    package func output(
        of report: Report, with settings: [(name: String, text: String)] = [], as format: ReportFormatName = .csv
    ) throws -> String {
        var text = ""
        try ReportRun(report, settings: settings).write(in: ReportSession(database: path), as: format) { text += $0 }
        return text
    }

    package func output(
        of name: String, with settings: [(name: String, text: String)] = [], as format: ReportFormatName = .csv
    ) throws -> String {
        try output(of: ReportCatalog().report(named: name), with: settings, as: format)
    }
}

extension SampleDatabase {
    /// A report's rows in CSV, without the heading.
    package func rows(of name: String, with settings: [(name: String, text: String)] = []) throws -> [String] {
        try output(of: name, with: settings).split(separator: "\r\n").dropFirst().map(String.init)
    }
}

/// A golden text with CSV's line ends.
package func csv(_ text: String) -> String { text.split(separator: "\n").map { $0 + "\r\n" }.joined() }
