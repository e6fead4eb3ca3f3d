import MillTestSupport
internal import TestSupport
internal import Testing

/// What the signals and the reports on fraud say of few rows; of what is shared, ``SharingSignalTests``.
@Suite struct FraudReportsTests {
    private func signals(_ rows: String...) throws -> [String] {
        try SampleDatabase(rows: rows.joined(separator: "\n")).signals()
    }

    private func events(of subject: String, _ rows: String...) throws -> [String] {
        try SampleDatabase(rows: rows.joined(separator: "\n")).file("event", of: subject)
    }

    @Test("A restore on a second device, a family share and 1.10 after 1.9 are no signals")
    func innocent() throws {
        #expect(try signals(familyRows) == [])
    }

    @Test("Testers are no thieves, but a forgery that calls itself a tester's counts")
    func environments() throws {
        let rows = """
            INSERT INTO app VALUES (3, 'Sandbox', 'com.example.game');
            UPDATE receipt SET app_id = 3 WHERE receipt_id IN (1, 2);
            UPDATE submission SET device_check = 'mismatch' WHERE receipt_id = 1;
            UPDATE receipt SET verdict = 'bad_signature' WHERE receipt_id = 2;
            DELETE FROM receipt_purchase; DELETE FROM purchase;
            """
        let database = try SampleDatabase(rows: familyRows + rows)
        func kinds(_ settings: [(name: String, text: String)]) throws -> [String] {
            try database.signals(settings).map { String($0.split(separator: ",")[1]) }
        }
        #expect(try kinds([]) == ["forged_signature"])
        #expect(try kinds([("environment", "all")]) == ["forged_signature", "hash_mismatch", "sandbox_receipt"])
        #expect(try database.rows(of: "fraud-subjects").map { $0.split(separator: ",")[2] } == ["kid"])
        #expect(
            try Stored(database.path).lines("SELECT subject FROM fraud_cases WHERE subject_kind = 'account'") == ["kid"]
        )
    }

    @Test("A receipt of iOS 6 whose intermediate was not given is odd, no more")
    func transactionReceipt() throws {
        let rows = "UPDATE receipt SET verdict = 'broken_chain', kind = 'transaction_receipt' WHERE receipt_id = 2;"
        #expect(
            try signals(familyRows, rows) == ["com.example.game,broken_chain,low,1,1,1,1,2024-05-02,2024-05-02"])
    }

    @Test("A threshold that is set overrules the default")
    func thresholds() throws {
        #expect(
            try signals(
                familyRows, strangerRows, "INSERT INTO signal_setting VALUES ('transaction_accounts', 3);") == [])
    }

    @Test("1.9 is older than 1.10, whichever stands first in text")
    func versions() throws {
        #expect(
            try signals(
                familyRows,
                "UPDATE receipt SET app_version_id = 1, original_application_version_id = 2 WHERE receipt_id = 1;")
                == ["com.example.game,original_version_newer,low,1,1,1,1,2024-05-01,2024-05-01"])
    }

    @Test("A version is unexpected where published versions are set and it is none of them")
    func unexpectedVersion() throws {
        let database = try SampleDatabase(
            rows: familyRows + """

                INSERT INTO app_expected_version VALUES ('com.example.game', '1.10');
                UPDATE receipt SET app_version_id = 1 WHERE receipt_id = 2;
                """)
        #expect(
            try database.signals() == [
                "com.example.game,unexpected_version,medium,1,1,1,1,2024-05-02,2024-05-02"
            ])
        #expect(
            try Stored(database.path).lines("SELECT line, app_check FROM submissions ORDER BY line") == [
                "1|expected", "2|unexpected_version", "3|expected",
            ])
    }

    @Test("A receipt of Xcode's local store is odd, not a foreign root")
    func xcode() throws {
        #expect(
            try signals(
                familyRows, "UPDATE receipt SET verdict = 'untrusted_root', app_id = 2 WHERE receipt_id = 2;")
                == ["com.example.game,xcode_receipt,low,1,1,1,1,2024-05-02,2024-05-02"])
    }

    @Test("Devices and accounts are ranked by the kinds of evidence, each once at its gravest")
    func ranks() throws {
        let rows = strangerRows + "UPDATE submission SET device_check = 'mismatch' WHERE submission_id = 1 << 32 | 4;"
        let database = try SampleDatabase(rows: familyRows + rows)
        func subjects(by kind: String, columns: Int) throws -> [String] {
            try database.rows(of: "fraud-subjects", with: [("by", kind)]).map {
                $0.split(separator: ",").prefix(columns).joined(separator: ",")
            }
        }
        #expect(
            try subjects(by: "account", columns: 6) == [
                "1,20,bob,1,hash_mismatch,medium", "1,20,bob,1,shared_transaction,medium",
                "2,1,ann,2,shared_transaction,low",
            ])
        #expect(
            try subjects(by: "device", columns: 4) == ["1,20,B1,1", "1,20,B1,1", "2,1,A1,1", "2,1,A2,1"])
    }

    @Test("A case holds receipt, purchase and submission in the order of time, and the lines with evidence behind them")
    func caseFile() throws {
        #expect(
            try events(of: "14", familyRows, strangerRows) == [
                "2024-05-03T12:00:00Z,purchase,a4,14,,,,,noads,,",
                "2024-05-04T00:00:00Z,receipt,a4,,,,,,\"trusted, Production, com.example.game 1.10, "
                    + "first got as 1.9, purchases: 1\",,",
                "2024-05-04T00:10:00Z,submission,a4,,B1,bob,,,\"trusted, device match, app expected\",night.jsonl.gz,4",
            ])
        let database = try SampleDatabase(rows: familyRows + strangerRows)
        #expect(
            try database.file("evidence", of: "14") == [
                "2024-05-04T00:10:00Z,shared_transaction,a4,11,B1,bob,holder,,medium: 2 accounts and 3 devices hold this "
                    + "original transaction,night.jsonl.gz,4"
            ])
    }

    @Test("The file of an original transaction holds every receipt of its copies, though no receipt holds itself")
    func caseOfAbsentOriginal() throws {
        let copies = """
            UPDATE purchase SET original_transaction_id = 10;
            DELETE FROM receipt_purchase WHERE receipt_id = 2;
            """
        let receipts = try events(of: "10", familyRows, copies).filter { $0.contains(",receipt,") }
        #expect(receipts.map { $0.split(separator: ",")[2] } == ["a1", "a3"])
    }

    @Test("The file of a forged receipt shows what it claims")
    func caseOfForgery() throws {
        let forged = """
            UPDATE receipt SET verdict = 'bad_signature' WHERE receipt_id = 2;
            DELETE FROM purchase WHERE transaction_id = 12;
            INSERT INTO claimed_purchase
                (app_id, transaction_id, product_number, purchase_date, as_of, receipt_id, verdict, kind)
            VALUES (1, 12, 1, unixepoch('2024-05-02') * 1000, 0, 2, 'bad_signature', 'app_receipt');
            """
        #expect(
            try events(of: "kid", familyRows, forged).first
                == "2024-05-02T00:00:00Z,claim,a2,12,,,,,\"bad_signature, claims noads\",,")
    }

    @Test("A version goes backwards on one device, however its identifier is written")
    func backwardsInTwoNotations() throws {
        let rows = """
            UPDATE receipt SET app_version_id = 1, original_application_version_id = NULL WHERE receipt_id = 3;
            UPDATE submission SET device_id = '00112233-4455-6677-8899-AABBCCDDEEFF' WHERE receipt_id = 1;
            UPDATE submission SET device_id = '00112233445566778899aabbccddeeff' WHERE receipt_id = 3;
            """
        #expect(
            try signals(familyRows, rows) == [
                "com.example.game,version_backwards,low,1,1,1,1,2024-05-03,2024-05-03"
            ])
    }

    @Test("A receipt without a creation date is from before a refund that another shows")
    func refundedOfUndated() throws {
        let rows = """
            UPDATE receipt SET receipt_creation_date = NULL WHERE receipt_id = 1;
            INSERT INTO receipt_purchase VALUES (3, 11);
            UPDATE purchase SET receipt_id = 3, cancellation_date = unixepoch('2024-05-02') * 1000
            WHERE transaction_id = 11;
            UPDATE submission SET submitted_at = unixepoch('2024-07-20') * 1000 WHERE receipt_id IN (1, 3);
            """
        #expect(
            try signals(familyRows, rows) == [
                "com.example.game,refunded_yet_used,medium,1,1,1,1,2024-07-20,2024-07-20"
            ])
        // Of two undated ones nobody knows which is the older.
        #expect(
            try signals(familyRows, rows, "UPDATE receipt SET receipt_creation_date = NULL;") == [])
    }

    @Test("A restore of 2014 that states its own moment as the purchase date contradicts nothing")
    func restoredInPlace() throws {
        // As in a receipt of April 2014: each period's begin stands in the original purchase date.
        let expired = """
            UPDATE purchase SET purchase_date = unixepoch('2014-04-29 20:28:25') * 1000,
                original_purchase_date = unixepoch('2014-04-29 18:57:11') * 1000,
                expires_date = unixepoch('2014-04-29 19:02:10') * 1000
            WHERE transaction_id = 11;
            """
        #expect(try signals(familyRows, expired) == [])
        #expect(
            try signals(familyRows, expired, "UPDATE purchase SET original_purchase_date = NULL;") == [
                "com.example.game,expiry_before_purchase,medium,1,1,1,1,2024-05-01,2024-05-01"
            ])
        let later = expired.replacing("2014", with: "2024")
        #expect(
            try signals(familyRows, later) == [
                "com.example.game,expiry_before_purchase,medium,1,1,1,1,2024-05-01,2024-05-01"
            ])
    }
}
