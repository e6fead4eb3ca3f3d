internal import GRDB
import MillTestSupport
internal import Testing

/// Three receipts that three accounts present on one device, each after the last of them
/// was created.
private func receipts(_ changes: String) -> String {
    """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
    VALUES (1, 'night.jsonl.gz', x'11', 1, 3, 3, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'com.example.game'), (2, 'ProductionSandbox', 'com.example.game');
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, opaque_value, device_hash, purchase_count,
         bytes)
    VALUES
        (1, x'a1', 'app_receipt', 'trusted', 1, unixepoch('2024-05-01') * 1000, x'01', x'f1f2f3f4f5f6f7f8', 0, 1),
        (2, x'a2', 'app_receipt', 'trusted', 1, unixepoch('2024-05-02') * 1000, x'01', x'f1f2f3f4f5f6f7f8', 0, 1),
        (3, x'a3', 'app_receipt', 'trusted', 1, unixepoch('2024-05-03') * 1000, x'01', x'f1f2f3f4f5f6f7f8', 0, 1);
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES
        (1 << 32 | 1, 1, 'A1', 'ann', unixepoch('2024-05-04') * 1000, 'match'),
        (1 << 32 | 2, 2, 'A1', 'ben', unixepoch('2024-05-05') * 1000, 'match'),
        (1 << 32 | 3, 3, 'A1', 'cem', unixepoch('2024-05-06') * 1000, 'match');
    \(changes);
    """
}

/// Lineages are found by the first six bytes of the device hash, which is not all that
/// receipts of one installation share.
@Suite("Receipts of one installation") struct LineageTests {
    @Test(
        "share app, opaque value and the whole hash",
        arguments: [
            ("SELECT 1", signals: 3, superseded: 2, presenters: 3),
            ("UPDATE receipt SET opaque_value = x'02' WHERE receipt_id = 3", 0, 1, 2),
            ("UPDATE receipt SET device_hash = x'f1f2f3f4f5f6f7f9' WHERE receipt_id = 3", 0, 1, 2),
            ("UPDATE receipt SET device_hash = x'f1f2f3f4f5f6' WHERE receipt_id = 3", 0, 1, 2),
            ("UPDATE receipt SET app_id = 2 WHERE receipt_id = 3", 0, 1, 2),
            ("UPDATE receipt SET opaque_value = NULL WHERE receipt_id = 3", 0, 1, 2),
            ("UPDATE receipt SET receipt_creation_date = NULL WHERE receipt_id = 3", 3, 1, 3),
            ("UPDATE receipt SET verdict = 'bad_signature' WHERE receipt_id = 3", 0, 1, 2),
        ])
    func lineage(changes: String, signals: Int, superseded: Int, presenters: Int) throws {
        let database = try SampleDatabase(rows: receipts(changes))
        let counts = try DatabaseQueue(path: database.path).read { db in
            try [
                "SELECT count(*) FROM fraud_signals WHERE signal = 'shared_lineage'",
                "SELECT coalesce(sum(submissions), 0) FROM stale_receipts WHERE reason = 'superseded'",
            ].map { try Int.fetchOne(db, sql: $0) }
        }
        #expect(counts == [signals, superseded])
        #expect(try database.file("presenter", of: "ann").count == presenters)
    }
}
