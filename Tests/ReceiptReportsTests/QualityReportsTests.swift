import MillTestSupport
internal import Testing

/// Two archives, four receipts and four purchases, to be checked on paper.
///
/// | receipt | verdict | created | app version | purchases told | undocumented attributes |
/// | --- | --- | --- | --- | --- | --- |
/// | 1 | trusted | last second of January | 1.10 | 11, refunded, and 12 | 0 and 6; in purchases 1709 |
/// | 2 | trusted | first second of February | 1.9 | 13, and 14, a free trial | 0, 6 and 40; in purchases 1709 |
/// | 3 | bad signature | first second of February | none | none | as of 2 |
/// | 4 | trusted transaction receipt without environment and bundle | not stated | none | none | none |
private let rows = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at) VALUES
        (1, 'a.jsonl.gz', x'11', 1000, 4, 3, 1, unixepoch('2024-03-01') * 1000, unixepoch('2024-03-01 00:01') * 1000),
        (2, 'b.jsonl.gz', x'22', 500, 0, 0, 0, unixepoch('2024-03-02') * 1000, NULL);
    INSERT INTO rejection (archive_id, line, reason, detail) VALUES
        (1, 9, 'invalid_base64', 'character at 233'),
        (1, 2, 'invalid_base64', 'character at 17'),
        (1, 5, 'no_receipt', 'empty line');
    INSERT INTO app VALUES (1, 'Production', 'com.example.cards'), (2, '', '');
    INSERT INTO version VALUES (1, '1.9', '011 019'), (2, '1.10', '011 0210');
    INSERT INTO attribute_set VALUES (1, '0,6'), (2, '0,6,40'), (4, '1709');
    INSERT INTO attribute_set_member VALUES (1, 0), (1, 6), (2, 0), (2, 6), (2, 40), (4, 1709);
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, app_version_id, receipt_creation_date, digest_algorithm,
         purchase_count, bytes, attribute_set_id, purchase_attribute_set_id)
    VALUES
        (1, x'a1', 'app_receipt', 'trusted', 1, 2, unixepoch('2024-01-31 23:59:59') * 1000, 'sha1', 2, 10, 1, 4),
        (2, x'a2', 'app_receipt', 'trusted', 1, 1, unixepoch('2024-02-01') * 1000, 'sha256', 2, 20, 2, 4),
        (3, x'a3', 'app_receipt', 'bad_signature', 1, NULL, unixepoch('2024-02-01') * 1000, 'sha1', 0, 5, 2, 4),
        (4, x'a4', 'transaction_receipt', 'trusted', 2, NULL, NULL, NULL, 1, 7, NULL, NULL);
    INSERT INTO purchase
        (app_id, transaction_id, purchase_date, cancellation_date, is_trial_period, as_of, receipt_id)
    VALUES
        (1, 11, unixepoch('2024-01-10') * 1000, unixepoch('2024-01-20') * 1000, 0, 0, 1),
        (1, 12, unixepoch('2024-01-10') * 1000, NULL, 0, 0, 1),
        (1, 13, unixepoch('2024-01-10') * 1000, NULL, 0, 0, 2),
        (1, 14, unixepoch('2024-01-10') * 1000, NULL, 1, 0, 2);
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES
        (1 << 32 | 1, 3, 'A1', 'ann', unixepoch('2024-03-01 23:59:59') * 1000, 'match'),
        (1 << 32 | 3, 3, 'A1', 'ann', unixepoch('2024-03-02 00:00:00') * 1000, 'match'),
        (1 << 32 | 4, 3, 'A1', 'ann', unixepoch('2024-03-02 10:00:00') * 1000, 'match');
    """

/// What the reports on loads, receipts and days answer on few rows.
@Suite struct QualityReportsTests {
    private func answer(_ name: String, _ settings: [(name: String, text: String)] = []) throws -> [String] {
        try SampleDatabase(rows: rows).rows(of: name, with: settings)
    }

    @Test("Of an archive the rejected share counts its processed lines, and one without lines has none")
    func archiveLoads() throws {
        #expect(
            try answer("archive-loads") == [
                "11,a.jsonl.gz,2024-03-01T00:00:00Z,2024-03-01T00:01:00Z,1,1000,4,3,1,0.25,(all),(all),,,0",
                "22,b.jsonl.gz,2024-03-02T00:00:00Z,,0,500,0,0,0,,(all),(all),,,0",
            ])
    }

    @Test("Rejections that differ in their numbers alone are one, shown by the first line")
    func rejectionsByReason() throws {
        #expect(
            try answer("archive-loads", [("by", "reason")]).map {
                $0.split(separator: ",").dropFirst(8).joined(separator: ",")
            }
                == [
                    "2,0.5,invalid_base64,character at ,2,character at 17,0",
                    "1,0.25,no_receipt,empty line,5,empty line,0",
                ])
    }

    @Test("A receipt belongs to its month up to the last second, and one that states no date to none")
    func verdictsByMonth() throws {
        let expected = [
            "(none),trusted,1,1.0", "2024-01,trusted,1,1.0", "2024-02,bad_signature,1,0.5", "2024-02,trusted,1,0.5",
        ]
        #expect(try answer("receipts-by-month") == expected)
        #expect(try answer("verdicts-by-month") == expected)
    }

    @Test("Receipts that state no environment and bundle are counted as such, apart from others by verdict and kind")
    func coverageByVerdict() throws {
        #expect(
            try answer("coverage", [("by", "verdict")]) == [
                "Production,com.example.cards,app_receipt,trusted,2,4,30,2024-01-31,2024-02-01",
                "(none),(none),transaction_receipt,trusted,1,1,7,,",
                "Production,com.example.cards,app_receipt,bad_signature,1,0,5,2024-02-01,2024-02-01",
            ])
    }

    @Test("What is covered are the days of trusted documents by app; those that state no day have none")
    func coverage() throws {
        #expect(
            try answer("coverage") == [
                "Production,com.example.cards,(all),trusted,2,4,30,2024-01-31,2024-02-01",
                "(none),(none),(all),trusted,1,1,7,,",
            ])
    }

    @Test("Digests are counted of all receipts, or of those of a verdict")
    func digestsByMonth() throws {
        #expect(
            try answer("receipts-by-month", [("by", "digest"), ("verdict", "trusted")]) == [
                "(none),(none),1,1.0", "2024-01,sha1,1,1.0", "2024-02,sha256,1,1.0",
            ])
        #expect(
            try answer("receipts-by-month", [("by", "digest")]) == [
                "(none),(none),1,1.0", "2024-01,sha1,1,1.0", "2024-02,sha1,1,0.5", "2024-02,sha256,1,0.5",
            ])
    }

    @Test(
        "Undocumented attributes are those of trusted receipts, at their level, with the days of the first and the last"
    )
    func undocumentedAttributes() throws {
        let head = "Production,com.example.cards,undocumented_attribute"
        #expect(
            try answer("findings", [("by", "subject"), ("finding", "undocumented")]) == [
                "\(head),app 0,1,2,2024-01-31,2024-02-01,environment", "\(head),app 40,1,1,2024-02-01,2024-02-01,",
                "\(head),app 6,1,2,2024-01-31,2024-02-01,", "\(head),purchase 1709,1,2,2024-01-31,2024-02-01,",
            ])
        #expect(
            try answer("undocumented-attributes") == ["\(head),(all),4,7,2024-01-31,2024-02-01,environment"])
        #expect(try answer("findings", [("environment", "Xcode,ProductionSandbox")]) == [])
    }

    @Test("A signal counts on each day its lines came in, midnight apart")
    func signalsByDay() throws {
        let rows = try answer("fraud-signals", [("by", "day")]).map { $0.split(separator: ",") }
        #expect(
            rows.map { [$0[0], $0[2], $0[4]].joined(separator: ",") } == [
                "2024-03-01,forged_signature,1", "2024-03-02,forged_signature,2",
            ])
    }

    @Test("Refunds are divided by the sales of the version whose receipt tells of them, trials left out")
    func refundsByVersion() throws {
        let head = "Production,com.example.cards"
        #expect(
            try answer("refunds", [("by", "version")]) == [
                "\(head),2024-01,1.10,(none),none,2,1,,,,,0,2024-04-01",
                "\(head),2024-01,1.9,(none),none,1,0,,,,,0,2024-04-01",
                "\(head),2024-02,1.10,(none),none,0,0,,,,,0,2024-04-30",
                "\(head),2024-02,1.9,(none),none,0,0,,,,,0,2024-04-30",
            ])
        // Receipts state no reason.
        #expect(
            try answer("refunds", [("by", "version,reason"), ("until", "2024-01")]) == [
                "\(head),2024-01,\"1.10, untold\",(none),none,2,1,,,,,0,2024-04-01",
                "\(head),2024-01,\"1.9, not refunded\",(none),none,1,0,,,,,0,2024-04-01",
            ])
    }
}
