internal import GRDB
package import MillSystem
package import ReceiptWarehouse

/// Two archives of one name that hold nearly the same submissions: a night that was packed again, or a part of an
/// export and later the whole. Their contents differ, so both were loaded, and the shared submissions count twice.
package struct RepeatedArchive: Sendable, Hashable {
    package let name: String
    /// SHA-256 of this archive in hexadecimal digits.
    package let sha256: String
    package let formerSHA256: String
    /// How many submissions both archives have.
    package let shared: Int
    /// How many submissions this archive has.
    package let submissions: Int
    package let formerSubmissions: Int

    /// How many earlier archives of a name are compared with a new one: a delivery that always has the same name has
    /// one for each night.
    private static let comparedArchives = 20
    /// How many submissions of two archives are compared before all are.
    private static let sampleSize: Int64 = 200
    /// The share of the smaller archive's submissions that makes a repeat.
    private static let repeatedShare = 0.9

    /// The earlier archives of the same name that contain nearly all submissions of an archive, or of which the archive
    /// contains nearly all. The database stores each such pair.
    package static func all(of id: Int64, in warehouse: Warehouse) throws(MillError) -> [RepeatedArchive] {
        try warehouse.access { db in
            guard let archive = try SubmittedArchive.fetch("archive_id = ?", [id], db).first else { return [] }
            let former = try SubmittedArchive.fetch(
                "name = ? AND archive_id < ? ORDER BY archive_id DESC LIMIT \(Self.comparedArchives)",
                [archive.name, id], db)
            return try former.compactMap { former in
                let (smaller, larger) =
                    archive.submissions < former.submissions ? (archive, former) : (former, archive)
                let sample = try smaller.sample(of: Self.sampleSize, db)
                guard !sample.isEmpty,
                    case let found = try sample.count(where: { try larger.holds($0, db) }),
                    Double(found) >= Self.repeatedShare * Double(sample.count),
                    case let shared = try larger.shared(with: smaller, db),
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

/// An archive, and how many of its lines have a submission as first document.
private struct SubmittedArchive {
    let id: Int64
    let name: String
    let sha256: String
    let lines: Int64
    let submissions: Int

    private var first: Int64 { LineNumber.id(archive: id, line: 0) }
    private var last: Int64 { LineNumber.id(archive: id, line: lines) }

    static func fetch(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [SubmittedArchive] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT archive_id, name, lower(hex(sha256)), lines, (
                    SELECT count(*) FROM submission
                    WHERE submission_id BETWEEN archive.archive_id << 32 AND archive.archive_id << 32 | archive.lines
                )
                FROM archive WHERE \(condition)
                """,
            arguments: arguments
        ).map { SubmittedArchive(id: $0[0], name: $0[1], sha256: $0[2], lines: $0[3], submissions: $0[4]) }
    }

    /// Submissions at even distances through the archive.
    func sample(of size: Int64, _ db: Database) throws -> [Int64] {
        let statement = try db.cachedStatement(
            sql: "SELECT submission_id FROM submission WHERE submission_id BETWEEN ? AND ? ORDER BY 1 LIMIT 1")
        let distance = max(lines / size, 1)
        var sample: [Int64] = []
        var next = first
        while next <= last, let id = try Int64.fetchOne(statement, arguments: [next, last]) {
            sample.append(id)
            next = max(next + distance, id + 1)
        }
        return sample
    }

    /// Selects a submission with the receipt, device, account and time of a submission of another archive. Tags are
    /// compared in place of identifiers, and hardly ever agree for two different ones.
    private static let sameSubmission = """
        SELECT 1 FROM submission AS same
        WHERE same.receipt_id = other.receipt_id
            AND same.account_tag IS other.account_tag
            AND same.device_tag IS other.device_tag
            AND same.submission_id BETWEEN :first AND :last
            AND same.submitted_at IS other.submitted_at
        """

    func holds(_ submission: Int64, _ db: Database) throws -> Bool {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT 1 FROM submission AS other WHERE submission_id = :id AND EXISTS (\(Self.sameSubmission))"),
            arguments: ["id": submission, "first": first, "last": last]) != nil
    }

    /// How many submissions of another archive this archive has, too.
    func shared(with other: SubmittedArchive, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM submission AS other
                WHERE submission_id BETWEEN :otherFirst AND :otherLast AND EXISTS (\(Self.sameSubmission))
                """,
            arguments: ["otherFirst": other.first, "otherLast": other.last, "first": first, "last": last]) ?? 0
    }
}
