internal import GRDB
internal import MillDatabase
package import MillSystem
package import ReceiptWarehouse

/// Two archives of the same name with nearly the same submissions, such as a night that was packed again, or a part of
/// an export and later the whole. Their contents differ, so both were loaded, and the shared submissions count twice.
package struct RepeatedArchive: Sendable, Hashable {
    package let name: String
    /// SHA-256 of this archive in hexadecimal digits.
    package let sha256: String
    package let formerSHA256: String
    /// The number of submissions in both archives.
    package let shared: Int
    /// The number of submissions in this archive.
    package let submissions: Int
    package let formerSubmissions: Int

    /// The number of earlier archives of a name with which a new one is compared. A delivery that always has the same
    /// name has one for each night.
    private static let comparedArchives = 20
    /// The number of submissions of two archives that are compared first; only if enough are equal, all are compared.
    private static let sampleSize: Int64 = 200
    /// The share of the smaller archive's submissions that have to be shared for a repeat.
    private static let repeatedShare = 0.9

    /// The earlier archives of the same name that contain nearly all submissions of an archive, or of which the archive
    /// contains nearly all. The database stores each such pair.
    package static func all(of id: Int64, in warehouse: Warehouse) throws(MillError) -> [RepeatedArchive] {
        try warehouse.access { db in
            let archives = try SubmittedArchive.ofName(of: id, upTo: Self.comparedArchives, db)
            guard let archive = archives.first else { return [] }
            return try archives.dropFirst().compactMap { former in
                let (smaller, larger) =
                    archive.submissions < former.submissions ? (archive, former) : (former, archive)
                let sample = try smaller.sample(of: Self.sampleSize, db)
                guard !sample.isEmpty,
                    case let found = try sample.count(where: { try larger.shared(with: $0...$0, db) > 0 }),
                    Double(found) >= Self.repeatedShare * Double(sample.count),
                    case let shared = try larger.shared(with: smaller.documents, db),
                    Double(shared) >= Self.repeatedShare * Double(smaller.submissions)
                else { return nil }
                try db.execute(
                    sql: "UPDATE archive SET repeated_in = ? WHERE archive_id = ?",
                    arguments: [larger.id, smaller.id])
                return RepeatedArchive(
                    name: archive.name, sha256: archive.sha256, formerSHA256: former.sha256, shared: shared,
                    submissions: archive.submissions, formerSubmissions: former.submissions)
            }
        }
    }
}

/// An archive, and the number of its lines whose first document is a submission.
private struct SubmittedArchive {
    let id: Int64
    let name: String
    let sha256: String
    let lines: Int64
    let submissions: Int

    /// The range of the identifiers of first documents of the archive's lines.
    var documents: ClosedRange<Int64> {
        LineNumber.id(archive: id, line: 0)...LineNumber.id(archive: id, line: lines)
    }

    /// An archive and the latest earlier ones of its name, newest first.
    static func ofName(of id: Int64, upTo count: Int, _ db: Database) throws -> [SubmittedArchive] {
        try Row.fetchAll(
            db, sql: Database.sql(ofFile: "care/archives_of_a_name.sql"), arguments: ["archive": id, "count": count]
        ).map { SubmittedArchive(id: $0[0], name: $0[1], sha256: $0[2], lines: $0[3], submissions: $0[4]) }
    }

    /// Submissions at even distances in the archive.
    func sample(of size: Int64, _ db: Database) throws -> [Int64] {
        let statement = try db.cachedStatement(
            sql: "SELECT submission_id FROM submission WHERE submission_id BETWEEN ? AND ? ORDER BY 1 LIMIT 1")
        let distance = max(lines / size, 1)
        var sample: [Int64] = []
        var next = documents.lowerBound
        while next <= documents.upperBound,
            let id = try Int64.fetchOne(statement, arguments: [next, documents.upperBound])
        {
            sample.append(id)
            next = max(next + distance, id + 1)
        }
        return sample
    }

    /// The number of another archive's submissions, given by their identifiers, that this archive also has.
    func shared(with others: ClosedRange<Int64>, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: Database.sql(ofFile: "care/same_submissions.sql")),
            arguments: [
                "otherFirst": others.lowerBound, "otherLast": others.upperBound, "first": documents.lowerBound,
                "last": documents.upperBound,
            ]) ?? 0
    }
}
