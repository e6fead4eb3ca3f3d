package import Foundation
internal import GRDB
internal import MillDatabase
package import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
package import ReceiptWarehouse

/// A fraud team's decision on a subject, as `receiptmill flag` records it. A JSON line transfers a decision from one
/// database to another.
package struct Decision: Sendable, Hashable, Codable {
    package enum SubjectKind: String, Sendable, Codable, CaseIterable { case account, device, installation, receipt }
    package enum Judgement: String, Sendable, Codable, CaseIterable { case confirmed, innocent, watching, undone }

    package var kind: SubjectKind
    /// The account, the device, the lineage (the receipts of one installation), or the receipt's SHA-256 in
    /// hexadecimal.
    package var subject: String
    package var verdict: Judgement
    package var note: String?
    package var decidedBy: String?
    /// The time of the decision, to the second; nil means now.
    package var decidedAt: Date?
    /// The kinds of signals that were known at the time of the decision; nil means those that the database shows.
    package var signals: [String]?

    /// The subject as bytes, because SQLite would end a bound text at the first NUL.
    fileprivate var subjectBytes: Data { Data(subject.utf8) }

    private enum CodingKeys: String, CodingKey {
        case kind, subject, note, signals
        case verdict = "as"
        case decidedBy = "by"
        case decidedAt = "at"
    }

    package init(
        _ verdict: Judgement, of subject: String, _ kind: SubjectKind, note: String? = nil, decidedBy: String? = nil
    ) {
        (self.verdict, self.subject, self.kind) = (verdict, subject, kind)
        (self.note, self.decidedBy) = (note, decidedBy)
    }

    /// Reads a decision from a line of JSON.
    package init(json: some DataProtocol) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        self = try decoder.decode(Decision.self, from: Data(json))
    }

    /// The decision as a line of JSON, without a newline.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// The stored decisions, with the signals that were known at the time of each.
package struct DecisionStore {
    private let warehouse: Warehouse

    package init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// The kinds of subjects that have the name. A decision may also be about a subject without evidence.
    package func kinds(ofSubject name: String) throws(MillError) -> [Decision.SubjectKind] {
        let arguments: StatementArguments = [
            "name": name, "prefix": String((name.split(separator: "-").last ?? "").prefix(12)),
            "sha256": SHA256Digest(hex: name).map { Data($0.bytes) },
        ]
        return try warehouse.access { db in
            try String.fetchAll(db, sql: Database.sql(ofFile: "care/kinds_of_subject.sql"), arguments: arguments)
                .compactMap(Decision.SubjectKind.init)
        }
    }

    /// The indexes of those decisions whose subject is in no line of the database. Lines are read once, regardless of
    /// the number of decisions.
    package func unknown(among decisions: [Decision]) throws(MillError) -> [Int] {
        try warehouse.access { db in
            try db.execute(
                sql: """
                    DROP TABLE IF EXISTS temp.named_subject;
                    CREATE TEMP TABLE named_subject (place INTEGER PRIMARY KEY, kind TEXT, subject TEXT);
                    """)
            defer { try? db.execute(sql: "DROP TABLE IF EXISTS temp.named_subject") }
            for (place, decision) in decisions.enumerated() {
                try db.execute(
                    sql: "INSERT INTO temp.named_subject VALUES (?, ?, CAST(? AS TEXT))",
                    arguments: [place, decision.kind.rawValue, decision.subjectBytes])
            }
            return try Int.fetchAll(db, sql: Database.sql(ofFile: "care/unknown_subjects.sql"))
        }
    }

    /// Records decisions in one transaction; decisions that are already recorded are ignored.
    ///
    /// - Returns: the decisions that are new.
    package func record(_ decisions: [Decision]) throws(MillError) -> [Decision] {
        try warehouse.access { db in
            var recorded: [Decision] = []
            try db.inTransaction(.immediate) {
                let known = try signals(of: decisions.filter { $0.signals == nil }, db)
                for decision in decisions {
                    let seconds = Int64((decision.decidedAt ?? Date()).timeIntervalSince1970)
                    try db.execute(
                        sql: """
                            INSERT OR IGNORE INTO decision
                                (subject_kind, subject, verdict, note, decided_by, decided_at)
                            VALUES (?, CAST(? AS TEXT), ?, ?, ?, ?)
                            """,
                        arguments: [
                            decision.kind.rawValue, decision.subjectBytes, decision.verdict.rawValue, decision.note,
                            decision.decidedBy, seconds * 1000,
                        ])
                    guard db.changesCount > 0 else { continue }
                    recorded.append(decision)
                    let id = db.lastInsertedRowID
                    for signal in decision.signals ?? known[Subject(decision.kind.rawValue, decision.subject)] ?? [] {
                        try db.execute(
                            sql: "INSERT OR IGNORE INTO decision_signal (decision_id, signal) VALUES (?, ?)",
                            arguments: [id, signal])
                    }
                }
                return .commit
            }
            return recorded
        }
    }

    /// A decision's subject. Accounts and devices are texts from lines, so they are compared as ``DocumentText``.
    private struct Subject: Hashable {
        let kind, name: DocumentText

        init(_ kind: String, _ name: String) { (self.kind, self.name) = (DocumentText(kind), DocumentText(name)) }
    }

    /// The kinds of signals that the database shows for subjects.
    private func signals(of decisions: [Decision], _ db: Database) throws -> [Subject: [String]] {
        guard !decisions.isEmpty else { return [:] }
        let statement = try db.makeStatement(
            sql: "SELECT DISTINCT signal FROM internal_evidence WHERE subject_kind = ? AND subject = CAST(? AS TEXT)")
        return try decisions.reduce(into: [:]) { found, decision in
            found[Subject(decision.kind.rawValue, decision.subject)] = try String.fetchAll(
                statement, arguments: [decision.kind.rawValue, decision.subjectBytes])
        }
    }

    /// All decisions, in the order of recording.
    package func all() throws(MillError) -> [Decision] {
        try warehouse.access { db in
            let signals = try Row.fetchAll(db, sql: "SELECT decision_id, signal FROM decision_signal")
                .reduce(into: [Int64: [String]]()) { $0[$1[0], default: []].append($1[1]) }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT decision_id, subject_kind, CAST(subject AS BLOB), verdict, note, decided_by, decided_at
                    FROM decision ORDER BY decision_id
                    """
            ).compactMap { row in
                guard let kind = Decision.SubjectKind(rawValue: row[1]),
                    let verdict = Decision.Judgement(rawValue: row[3])
                else { return nil }
                let subject = String(decoding: row[2] as Data, as: UTF8.self)
                var decision = Decision(verdict, of: subject, kind, note: row[4], decidedBy: row[5])
                decision.decidedAt = Date(timeIntervalSince1970: TimeInterval((row[6] as Int64) / 1000))
                decision.signals = signals[row[0], default: []].sorted()
                return decision
            }
        }
    }
}
