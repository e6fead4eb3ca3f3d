import MillTestSupport
internal import TestSupport
internal import Testing

/// A family and a stranger, to be checked on paper.
///
/// | receipt | who | versions | transactions |
/// | --- | --- | --- | --- |
/// | 1 | account ann, device A1 | got as 1.9, now 1.10 | 11 noads |
/// | 2 | account kid, device K1 | got as 1.9, now 1.10 | 12 noads, family shared: an original of its own |
/// | 3 | account ann, device A2 | got as 1.9, now 1.10 | 13 noads, restored from 11 |
private let family = """
    INSERT INTO archive
        (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at) VALUES (1, 'night.jsonl.gz', x'11', 1, 20, 20, 1, 0, 0);
    INSERT INTO app VALUES (1, 'Production', 'com.example.game'), (2, 'Xcode', 'com.example.game');
    INSERT INTO app_setting VALUES ('com.example.game', 'ios', NULL, NULL);
    INSERT INTO version VALUES (1, '1.9', '011 019'), (2, '1.10', '011 0210');
    INSERT INTO product VALUES (1, 'noads');
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, app_version_id, original_application_version_id,
         receipt_creation_date, opaque_value, device_hash, purchase_count, bytes)
    VALUES
        (1, x'a1', 'app_receipt', 'trusted', 1, 2, 1, unixepoch('2024-05-01') * 1000, x'01', x'f1', 1, 1),
        (2, x'a2', 'app_receipt', 'trusted', 1, 2, 1, unixepoch('2024-05-02') * 1000, x'02', x'f2', 1, 1),
        (3, x'a3', 'app_receipt', 'trusted', 1, 2, 1, unixepoch('2024-05-03') * 1000, x'03', x'f3', 1, 1);
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date, as_of,
         receipt_id)
    VALUES
        (1, 11, 11, 1, 0, unixepoch('2024-05-01') * 1000, unixepoch('2024-05-01') * 1000, 1),
        (1, 12, 12, 1, 0, unixepoch('2024-05-02') * 1000, unixepoch('2024-05-02') * 1000, 2),
        (1, 13, 11, 1, 0, unixepoch('2024-05-03') * 1000, unixepoch('2024-05-03') * 1000, 3);
    INSERT INTO receipt_purchase VALUES (1, 11), (2, 12), (3, 13);
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES
        (1 << 32 | 1, 1, 'A1', 'ann', unixepoch('2024-05-01 00:10:00') * 1000, 'match'),
        (1 << 32 | 2, 2, 'K1', 'kid', unixepoch('2024-05-02 00:10:00') * 1000, 'match'),
        (1 << 32 | 3, 3, 'A2', 'ann', unixepoch('2024-05-03 00:10:00') * 1000, 'match');
    """

/// Account bob restores ann's purchase, too.
private let stranger = """
    INSERT INTO receipt
        (receipt_id, sha256, kind, verdict, app_id, app_version_id, original_application_version_id,
         receipt_creation_date, opaque_value, device_hash, purchase_count, bytes)
    VALUES (4, x'a4', 'app_receipt', 'trusted', 1, 2, 1, unixepoch('2024-05-04') * 1000, x'04', x'f4', 1, 1);
    INSERT INTO purchase
        (app_id, transaction_id, original_transaction_id, product_number, product_type, purchase_date, as_of,
         receipt_id)
    VALUES (1, 14, 11, 1, 0, unixepoch('2024-05-03 12:00:00') * 1000, unixepoch('2024-05-04') * 1000, 4);
    INSERT INTO receipt_purchase VALUES (4, 14);
    INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
    VALUES (1 << 32 | 4, 4, 'B1', 'bob', unixepoch('2024-05-04 00:10:00') * 1000, 'match');
    """

/// What the signals and the reports on fraud say of few rows.
@Suite struct FraudReportsTests {
    private func answer(_ name: String, _ rows: String..., subject: String? = nil) throws -> [String] {
        try SampleDatabase(rows: rows.joined(separator: "\n"))
            .rows(of: name, with: subject.map { [("case", $0)] } ?? [])
    }

    @Test("A restore on a second device, a family share and 1.10 after 1.9 are no signals")
    func innocent() throws {
        #expect(try answer("fraud-signals", family) == [])
    }

    @Test("One original transaction with two accounts is a signal on every receipt that holds it")
    func sharedTransaction() throws {
        #expect(
            try answer("fraud-signals", family, stranger) == [
                "com.example.game,shared_transaction,medium,3,3,3,2,2024-05-01T00:10:00Z,2024-05-04T00:10:00Z"
            ])
    }

    /// Ann's first receipt, presented by devices of five others, too.
    private let copies = """
        INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
        SELECT 1 << 32 | 10 + value, 1, 'T' || value, 't' || value, unixepoch('2024-05-10') * 1000 + value, 'mismatch'
        FROM json_each('[1, 2, 3, 4, 5]');
        DELETE FROM receipt_purchase; DELETE FROM purchase;
        """

    private func sharing(_ rows: String...) throws -> [String] {
        let database = try SampleDatabase(rows: rows.joined(separator: "\n"))
        return try Stored(database.path).lines(
            """
            SELECT account_id, severity, role, detail FROM fraud_signals WHERE signal = 'shared_receipt' ORDER BY line
            """)
    }

    @Test("The device that a receipt was made for holds it rightfully, and who copied it is accused")
    func holder() throws {
        let counts = "6 devices and 6 accounts presented this receipt"
        #expect(
            try sharing(family, copies)
                == ["ann|low|holder|\(counts)"] + (1...5).map { "t\($0)|high|copier|\(counts)" })
    }

    @Test("A holder's own account is the holder's on a device with a new identifier, too")
    func holdersOtherDevice() throws {
        let renewed = "UPDATE submission SET account_id = 'ann' WHERE device_id = 'T1';"
        #expect(
            try sharing(family, copies, renewed).map { $0.split(separator: "|").prefix(3).joined(separator: " ") }
                == ["ann low holder", "ann low holder"] + (2...5).map { "t\($0) high copier" })
    }

    @Test("Where nobody matches, no one is accused of copying from another, and the detail says so")
    func nobodyMatches() throws {
        let unseen = "DELETE FROM submission WHERE device_id = 'A1';"
        let detail =
            "5 devices and 5 accounts presented this receipt, none of them known as the one that it was made for"
        #expect(try sharing(family, copies, unseen) == (1...5).map { "t\($0)|high|unknown|\(detail)" })
    }

    @Test("Three accounts on the device that a receipt was made for stay worth a look")
    func accountsOfHolder() throws {
        let accounts = "UPDATE submission SET device_id = 'A1', device_check = 'match' WHERE receipt_id = 1;"
        #expect(Set(try sharing(family, copies, accounts).map { $0.split(separator: "|")[1] }) == ["medium"])
    }

    @Test("What a family shares makes no member a thief, token or not")
    func sharedByFamily() throws {
        let terms = """
            UPDATE receipt SET kind = 'signed_transaction' WHERE receipt_id IN (1, 2);
            UPDATE purchase SET original_transaction_id = 11;
            INSERT INTO purchase_terms (app_id, transaction_id, verdict, ownership, app_account_token, receipt_id)
            VALUES (1, 11, 'trusted', 'PURCHASED', 'TOKEN', 1), (1, 12, 'trusted', 'FAMILY_SHARED', 'TOKEN', 2);
            """
        #expect(try answer("fraud-signals", family, terms) == [])
        #expect(
            try answer("fraud-signals", family, terms, "UPDATE purchase_terms SET ownership = 'PURCHASED';")
                .map { $0.split(separator: ",")[1] } == ["shared_account_token", "shared_transaction"])
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
        let database = try SampleDatabase(rows: family + rows)
        func kinds(_ settings: [(name: String, text: String)]) throws -> [String] {
            try database.rows(of: "fraud-signals", with: settings).map { String($0.split(separator: ",")[1]) }
        }
        #expect(try kinds([]) == ["forged_signature"])
        #expect(try kinds([("environment", "all")]) == ["forged_signature", "hash_mismatch", "sandbox_receipt"])
        #expect(try database.rows(of: "fraud-accounts").map { $0.split(separator: ",")[2] } == ["kid"])
        #expect(
            try Stored(database.path).lines("SELECT subject FROM fraud_cases WHERE subject_kind = 'account'") == ["kid"]
        )
    }

    @Test("A receipt of iOS 6 whose intermediate was not given is odd, no more")
    func transactionReceipt() throws {
        let rows = "UPDATE receipt SET verdict = 'broken_chain', kind = 'transaction_receipt' WHERE receipt_id = 2;"
        let signals = try answer("fraud-signals", family, rows)
        #expect(signals.count == 1 && signals[0].hasPrefix("com.example.game,broken_chain,low,"), "\(signals)")
    }

    @Test("Who presented a receipt is told with the device that it was made for first")
    func presenters() throws {
        #expect(
            try answer("receipt-presenters", family, copies, subject: "t3").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).prefix(7).joined(separator: ",")
            } == ["a1,ann,A1,match,holder,trusted,1"] + (1...5).map { "a1,t\($0),T\($0),mismatch,copier,trusted,1" })
        // The refreshed receipt of the same installation tells whose it is.
        let lineage = """
            UPDATE receipt SET opaque_value = x'01', device_hash = x'f1' WHERE receipt_id = 3;
            DELETE FROM submission WHERE device_id = 'A1';
            """
        #expect(
            try answer("receipt-presenters", family, copies, lineage, subject: "t3").map {
                $0.split(separator: ",").prefix(5).joined(separator: ",")
            } == (1...5).map { "a1,t\($0),T\($0),mismatch,copier" } + ["a3,ann,A2,match,holder"])
    }

    private func parties(of subject: String, _ rows: String...) throws -> [String] {
        try SampleDatabase(rows: rows.joined(separator: "\n"))
            .rows(of: "fraud-parties", with: [("subject", subject)])
    }

    @Test("Parties that share are paired, each with its role and with the days of the other")
    func parties() throws {
        let game = "Production,com.example.game,shared_transaction,11,bob,B1,holder"
        #expect(
            try parties(of: "bob", family, stranger) == [
                "\(game),ann,A1,holder,1,2024-05-01T00:10:00Z,2024-05-01T00:10:00Z",
                "\(game),ann,A2,holder,1,2024-05-03T00:10:00Z,2024-05-03T00:10:00Z",
            ])
        #expect(try parties(of: "kid", family, stranger) == [])
    }

    @Test("A copier is paired with the holder and with every other copier")
    func copiers() throws {
        let others = ["ann,A1,holder", "t1,T1,copier", "t2,T2,copier", "t4,T4,copier", "t5,T5,copier"]
        #expect(
            try parties(of: "t3", family, copies).map {
                $0.split(separator: ",")[2..<10].joined(separator: ",")
            } == others.map { "shared_receipt,a1,t3,T3,copier,\($0)" })
        // Of what is shared, all pairs from either side: six parties, five others each.
        let pairs = try parties(of: "a1", family, copies)
        #expect(pairs.count == 30)
    }

    @Test("Accounts under one token are paired by the token, and those of an installation by its lineage")
    func partiesOfTokenAndLineage() throws {
        let terms = """
            UPDATE receipt SET kind = 'signed_transaction' WHERE receipt_id IN (1, 2);
            INSERT INTO purchase_terms (app_id, transaction_id, verdict, ownership, app_account_token, receipt_id)
            VALUES (1, 11, 'trusted', 'PURCHASED', 'TOKEN', 1), (1, 12, 'trusted', 'PURCHASED', 'TOKEN', 2);
            """
        func pairs(_ rows: String, _ subject: String) throws -> [String] {
            try parties(of: subject, family, rows).map {
                $0.split(separator: ",")[2..<10].joined(separator: ",")
            }
        }
        #expect(try pairs(terms, "kid") == ["shared_account_token,token,kid,K1,holder,ann,A1,holder"])
        let lineage = """
            UPDATE receipt SET opaque_value = x'02', device_hash = x'f2' WHERE receipt_id = 3;
            UPDATE submission SET device_check = 'mismatch' WHERE receipt_id = 3;
            """
        #expect(try pairs(lineage, "kid") == ["shared_lineage,02-f2,kid,K1,holder,ann,A2,copier"])
    }

    @Test("A threshold that is set overrules the default")
    func thresholds() throws {
        #expect(
            try answer(
                "fraud-signals", family, stranger, "INSERT INTO signal_setting VALUES ('transaction_accounts', 3);")
                == [])
    }

    @Test("A receipt without a hash is shared by two devices, though neither mismatches")
    func sharedWithoutHash() throws {
        let copies = """
            UPDATE receipt SET opaque_value = NULL, device_hash = NULL WHERE receipt_id = 2;
            UPDATE submission SET device_check = 'no_hash' WHERE receipt_id = 2;
            INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
            VALUES (1 << 32 | 5, 2, 'K2', 'kid', unixepoch('2024-05-05') * 1000, 'no_hash');
            """
        #expect(
            try answer("fraud-signals", family, copies) == [
                "com.example.game,shared_receipt,low,2,1,2,1,2024-05-02T00:10:00Z,2024-05-05T00:00:00Z"
            ])
    }

    @Test("Two notations of the device that a receipt was made for are one device")
    func oneDeviceInTwoNotations() throws {
        let notations = """
            UPDATE submission SET device_id = '00112233445566778899aabbccddeeff' WHERE receipt_id = 2;
            INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
            SELECT 1 << 32 | value, 2, 'ABEiM0RVZneImaq7zN3u/w==', 'kid', unixepoch('2024-05-05') * 1000, 'match'
            FROM json_each('[5, 6]');
            """
        #expect(try answer("fraud-signals", family, notations) == [])
    }

    @Test("Three accounts on the device of one installation share it, by receipts of different bytes")
    func accountsOfOneLineage() throws {
        let accounts = """
            UPDATE receipt SET opaque_value = x'01', device_hash = x'f1';
            UPDATE submission SET device_id = 'A1', account_id = 'a' || receipt_id;
            """
        #expect(
            try answer("fraud-signals", family, accounts, "DELETE FROM receipt_purchase; DELETE FROM purchase;") == [
                "com.example.game,shared_lineage,medium,3,3,1,3,2024-05-01T00:10:00Z,2024-05-03T00:10:00Z"
            ])
    }

    @Test("1.9 is older than 1.10, whichever stands first in text")
    func versions() throws {
        let signals = try answer(
            "fraud-signals", family,
            "UPDATE receipt SET app_version_id = 1, original_application_version_id = 2 WHERE receipt_id = 1;")
        #expect(
            signals == [
                "com.example.game,original_version_newer,low,1,1,1,1,2024-05-01T00:10:00Z,2024-05-01T00:10:00Z"
            ])
    }

    @Test("A version is unexpected where published versions are set and it is none of them")
    func unexpectedVersion() throws {
        let database = try SampleDatabase(
            rows: family + """

                INSERT INTO app_expected_version VALUES ('com.example.game', '1.10');
                UPDATE receipt SET app_version_id = 1 WHERE receipt_id = 2;
                """)
        #expect(
            try database.rows(of: "fraud-signals") == [
                "com.example.game,unexpected_version,medium,1,1,1,1,2024-05-02T00:10:00Z,2024-05-02T00:10:00Z"
            ])
        #expect(
            try Stored(database.path).lines("SELECT line, app_check FROM submissions ORDER BY line") == [
                "1|expected", "2|unexpected_version", "3|expected",
            ])
    }

    @Test("A receipt of Xcode's local store is odd, not a foreign root")
    func xcode() throws {
        #expect(
            try answer(
                "fraud-signals", family,
                "UPDATE receipt SET verdict = 'untrusted_root', app_id = 2 WHERE receipt_id = 2;")
                == ["com.example.game,xcode_receipt,low,1,1,1,1,2024-05-02T00:10:00Z,2024-05-02T00:10:00Z"])
    }

    @Test("Devices and accounts are ranked by the kinds of evidence, each once at its gravest")
    func ranks() throws {
        let rows = stranger + "UPDATE submission SET device_check = 'mismatch' WHERE submission_id = 1 << 32 | 4;"
        #expect(
            try answer("fraud-accounts", family, rows).map { $0.split(separator: ",").prefix(6).joined(separator: ",") }
                == [
                    "1,20,bob,1,hash_mismatch,medium", "1,20,bob,1,shared_transaction,medium",
                    "2,1,ann,2,shared_transaction,low",
                ])
        #expect(
            try answer("fraud-devices", family, rows).map { $0.split(separator: ",").prefix(4).joined(separator: ",") }
                == ["1,20,B1,1", "1,20,B1,1", "2,1,A1,1", "2,1,A2,1"])
    }

    @Test("A case holds receipt, purchase, submission and signal in the order of time")
    func caseFile() throws {
        #expect(
            try answer("fraud-case", family, stranger, subject: "14") == [
                "1,2024-05-03T12:00:00Z,purchase,a4,14,,,noads,,",
                "2,2024-05-04T00:00:00Z,receipt,a4,,,,\"trusted, Production, com.example.game 1.10, "
                    + "first got as 1.9, purchases: 1\",,",
                "3,2024-05-04T00:10:00Z,submission,a4,,B1,bob,\"trusted, device match, app expected\",night.jsonl.gz,4",
                "4,2024-05-04T00:10:00Z,signal,a4,11,B1,bob,medium shared_transaction: 2 accounts and 3 devices "
                    + "hold this original transaction,night.jsonl.gz,4",
            ])
    }

    @Test("The file of an original transaction holds every receipt of its copies, though no receipt holds itself")
    func caseOfAbsentOriginal() throws {
        let copies = """
            UPDATE purchase SET original_transaction_id = 10;
            DELETE FROM receipt_purchase WHERE receipt_id = 2;
            """
        let receipts = try answer("fraud-case", family, copies, subject: "10").filter { $0.contains(",receipt,") }
        #expect(receipts.map { $0.split(separator: ",")[3] } == ["a1", "a3"])
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
            try answer("fraud-case", family, forged, subject: "kid").first
                == "1,2024-05-02T00:00:00Z,claim,a2,12,,,\"bad_signature, claims noads\",,")
    }

    @Test("A receipt that the store gave to a server is shared by two devices, though it fits neither")
    func sharedOfServer() throws {
        let copies = """
            UPDATE submission SET device_check = 'server_issued' WHERE receipt_id = 2;
            INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
            VALUES (1 << 32 | 5, 2, 'K2', 'eve', unixepoch('2024-05-05') * 1000, 'server_issued');
            """
        #expect(
            try answer("fraud-signals", family, copies).filter { $0.contains("shared_receipt") } == [
                "com.example.game,shared_receipt,medium,2,1,2,2,2024-05-02T00:10:00Z,2024-05-05T00:00:00Z"
            ])
    }

    @Test("A purchase without a type is shared like a non-consumable", arguments: ["NULL", "-1", "4"])
    func sharedOfUnknownType(type: String) throws {
        let signals = try answer("fraud-signals", family, stranger, "UPDATE purchase SET product_type = \(type);")
        #expect(
            signals == [
                "com.example.game,shared_transaction,medium,3,3,3,2,2024-05-01T00:10:00Z,2024-05-04T00:10:00Z"
            ])
    }

    @Test("A version goes backwards on one device, however its identifier is written")
    func backwardsInTwoNotations() throws {
        let rows = """
            UPDATE receipt SET app_version_id = 1, original_application_version_id = NULL WHERE receipt_id = 3;
            UPDATE submission SET device_id = '00112233-4455-6677-8899-AABBCCDDEEFF' WHERE receipt_id = 1;
            UPDATE submission SET device_id = '00112233445566778899aabbccddeeff' WHERE receipt_id = 3;
            """
        #expect(
            try answer("fraud-signals", family, rows) == [
                "com.example.game,version_backwards,low,1,1,1,1,2024-05-03T00:10:00Z,2024-05-03T00:10:00Z"
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
            try answer("fraud-signals", family, rows) == [
                "com.example.game,refunded_yet_used,medium,1,1,1,1,2024-07-20T00:00:00Z,2024-07-20T00:00:00Z"
            ])
        // Of two undated ones nobody knows which is the older.
        #expect(
            try answer("fraud-signals", family, rows, "UPDATE receipt SET receipt_creation_date = NULL;") == [])
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
        #expect(try answer("fraud-signals", family, expired) == [])
        #expect(
            try answer("fraud-signals", family, expired, "UPDATE purchase SET original_purchase_date = NULL;") == [
                "com.example.game,expiry_before_purchase,medium,1,1,1,1,2024-05-01T00:10:00Z,2024-05-01T00:10:00Z"
            ])
        let later = expired.replacing("2014", with: "2024")
        #expect(
            try answer("fraud-signals", family, later) == [
                "com.example.game,expiry_before_purchase,medium,1,1,1,1,2024-05-01T00:10:00Z,2024-05-01T00:10:00Z"
            ])
    }
}
