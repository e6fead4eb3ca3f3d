import MillTestSupport
import TestSupport
internal import Testing

/// Three subscriptions of two apps, and who presented them on 2024-01-01, to be checked on paper.
///
/// | original | app | presented by |
/// | --- | --- | --- |
/// | 1001 | club | ann from D1 at 01:00 |
/// | 2001 | gym | ann from D2 at 01:00, too |
/// | 3001 | club | bob from D4 at 01:00; carl from D5 at 02:00, and at 03:00 without device; the device D3 at 04:00 |
private let rows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at) VALUES (1, 'night.jsonl.gz', x'11', 1, 20, 20, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'com.example.club'), (2, 'Production', 'com.example.gym');
    CREATE TEMP TABLE shown (line, app_id, original, account_id, device_id, hour);
    INSERT INTO shown VALUES
        (1, 1, 1001, 'ann', 'D1', 1),
        (2, 2, 2001, 'ann', 'D2', 1),
        (3, 1, 3001, 'bob', 'D4', 1),
        (4, 1, 3001, 'carl', 'D5', 2),
        (5, 1, 3001, 'carl', NULL, 3),
        (6, 1, 3001, NULL, 'D3', 4);
    INSERT INTO receipt (receipt_id, sha256, kind, verdict, app_id, receipt_creation_date, purchase_count, bytes)
    SELECT line, CAST(char(64 + line) AS BLOB), 'app_receipt', 'trusted', app_id, unixepoch('2024-01-01') * 1000, 1, 1
    FROM shown;
    INSERT INTO receipt_purchase SELECT line, original FROM shown;
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    SELECT 1 << 32 | line, line, device_id, account_id, (unixepoch('2024-01-01') + hour * 3600) * 1000, 'no_device'
    FROM shown;
    INSERT INTO purchase (app_id, transaction_id, original_transaction_id, purchase_date, expires_date, as_of, receipt_id)
    SELECT app_id, original, original, unixepoch('2023-12-15') * 1000, unixepoch('2024-01-15') * 1000,
        unixepoch('2024-01-01') * 1000, max(line)
    FROM shown
    GROUP BY app_id, original;
    """

@Suite("Who has a subscription")
struct SubscriptionContactsTests {
    private func fields(of name: String, _ places: [Int]) throws -> [String] {
        try SampleDatabase(rows: rows).rows(of: name).map { row in
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            return places.map { String(fields[$0]) }.joined(separator: " ")
        }
    }

    @Test("is each owner, reached by the device that presented a document of the app last, not of another app")
    func owners() throws {
        // App, original, owner, device, and when the owner was seen last.
        #expect(
            try fields(of: "entitled", [1, 5, 2, 12, 13]).sorted() == [
                "com.example.club 1001 ann D1 2024-01-01T01:00:00Z", "com.example.club 3001 D3 D3 2024-01-01T04:00:00Z",
                "com.example.club 3001 bob D4 2024-01-01T01:00:00Z",
                "com.example.club 3001 carl D5 2024-01-01T03:00:00Z",
                "com.example.gym 2001 ann D2 2024-01-01T01:00:00Z",
            ])
    }

    @Test("pays for it, if it is the account that presented it first, before any device")
    func customers() throws {
        #expect(
            try fields(of: "renewals-due", [1, 2, 11, 12]) == [
                "com.example.club 1001 ann account", "com.example.club 3001 bob account",
                "com.example.gym 2001 ann account",
            ])
    }
}
