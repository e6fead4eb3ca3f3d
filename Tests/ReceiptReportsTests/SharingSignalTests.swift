import MillTestSupport
internal import TestSupport
internal import Testing

/// What signals and reports say of what several devices or accounts presented.
@Suite struct SharingSignalTests {
    private func signals(_ rows: String...) throws -> [String] {
        try SampleDatabase(rows: rows.joined(separator: "\n")).signals()
    }

    @Test("One original transaction with two accounts is a signal on every receipt that holds it")
    func sharedTransaction() throws {
        #expect(
            try signals(familyRows, strangerRows) == [
                "com.example.game,shared_transaction,medium,3,3,3,2,2024-05-01,2024-05-04"
            ])
    }

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
            try sharing(familyRows, copyRows)
                == ["ann|low|holder|\(counts)"] + (1...5).map { "t\($0)|high|copier|\(counts)" })
    }

    @Test("A holder's own account is the holder's on a device with a new identifier, too")
    func holdersOtherDevice() throws {
        let renewed = "UPDATE submission SET account_id = 'ann' WHERE device_id = 'T1';"
        #expect(
            try sharing(familyRows, copyRows, renewed).map { $0.split(separator: "|").prefix(3).joined(separator: " ") }
                == ["ann low holder", "ann low holder"] + (2...5).map { "t\($0) high copier" })
    }

    @Test("Where nobody matches, no one is accused of copying from another, and the detail says so")
    func nobodyMatches() throws {
        let unseen = "DELETE FROM submission WHERE device_id = 'A1';"
        let detail =
            "5 devices and 5 accounts presented this receipt, none of them known as the one that it was made for"
        #expect(try sharing(familyRows, copyRows, unseen) == (1...5).map { "t\($0)|high|unknown|\(detail)" })
    }

    @Test("Three accounts on the device that a receipt was made for stay worth a look")
    func accountsOfHolder() throws {
        let accounts = "UPDATE submission SET device_id = 'A1', device_check = 'match' WHERE receipt_id = 1;"
        #expect(Set(try sharing(familyRows, copyRows, accounts).map { $0.split(separator: "|")[1] }) == ["medium"])
    }

    @Test("What a family shares makes no member a thief, token or not")
    func sharedByFamily() throws {
        let terms = """
            UPDATE receipt SET kind = 'signed_transaction' WHERE receipt_id IN (1, 2);
            UPDATE purchase SET original_transaction_id = 11;
            INSERT INTO purchase_terms (app_id, transaction_id, verdict, ownership, app_account_token, receipt_id)
            VALUES (1, 11, 'trusted', 'PURCHASED', 'TOKEN', 1), (1, 12, 'trusted', 'FAMILY_SHARED', 'TOKEN', 2);
            """
        #expect(try signals(familyRows, terms) == [])
        #expect(
            try signals(familyRows, terms, "UPDATE purchase_terms SET ownership = 'PURCHASED';")
                .map { $0.split(separator: ",")[1] } == ["shared_account_token", "shared_transaction"])
    }

    /// Presenters of a case's receipts: device check, receipt, device, account, role and submissions.
    private func presenters(of subject: String, _ rows: String...) throws -> [String] {
        try SampleDatabase(rows: rows.joined(separator: "\n")).file("presenter", of: subject).map { row in
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            return [1, 2, 4, 5, 6, 7].map { String(fields[$0]) }.joined(separator: ",")
        }
    }

    @Test("Who presented a receipt is told, each with its role")
    func presenters() throws {
        #expect(
            try presenters(of: "t3", familyRows, copyRows)
                == ["match,a1,A1,ann,holder,1"] + (1...5).map { "mismatch,a1,T\($0),t\($0),copier,1" })
        // The refreshed receipt of the same installation tells whose it is.
        let lineage = """
            UPDATE receipt SET opaque_value = x'01', device_hash = x'f1' WHERE receipt_id = 3;
            DELETE FROM submission WHERE device_id = 'A1';
            """
        #expect(
            try presenters(of: "t3", familyRows, copyRows, lineage)
                == ["match,a3,A2,ann,holder,1"] + (1...5).map { "mismatch,a1,T\($0),t\($0),copier,1" })
    }

    /// Parties of what a case shares: when first, signal, receipt, transaction, device, account, role, submissions and what.
    private func parties(of subject: String, _ rows: String...) throws -> [String] {
        try SampleDatabase(rows: rows.joined(separator: "\n")).file("party", of: subject).map { row in
            row.replacing("\"", with: "").replacing(",,", with: ",")
                .split(separator: ",").filter { !$0.hasPrefix(" last") }.joined(separator: ",")
        }
    }

    @Test("Parties that share are told, each with its role and since when")
    func parties() throws {
        #expect(
            try parties(of: "bob", familyRows, strangerRows) == [
                "2024-05-01T00:10:00Z,shared_transaction,a1,11,A1,ann,holder,1,shares transaction 11",
                "2024-05-03T00:10:00Z,shared_transaction,a3,11,A2,ann,holder,1,shares transaction 11",
                "2024-05-04T00:10:00Z,shared_transaction,a4,11,B1,bob,holder,1,shares transaction 11",
            ])
        #expect(try parties(of: "kid", familyRows, strangerRows) == [])
    }

    @Test("Of a copier's file the holder and every other copier are parties")
    func copiers() throws {
        let found = try parties(of: "t3", familyRows, copyRows).map {
            $0.split(separator: ",").dropFirst().joined(separator: ",")
        }
        #expect(
            found == ["shared_receipt,a1,A1,ann,holder,1,shares receipt a1"]
                + (1...5).map { "shared_receipt,a1,T\($0),t\($0),copier,1,shares receipt a1" })
    }

    @Test("Accounts under one token are parties of the token, and those of an installation of its lineage")
    func partiesOfTokenAndLineage() throws {
        let terms = """
            UPDATE receipt SET kind = 'signed_transaction' WHERE receipt_id IN (1, 2);
            INSERT INTO purchase_terms (app_id, transaction_id, verdict, ownership, app_account_token, receipt_id)
            VALUES (1, 11, 'trusted', 'PURCHASED', 'TOKEN', 1), (1, 12, 'trusted', 'PURCHASED', 'TOKEN', 2);
            """
        func told(_ rows: String) throws -> [String] {
            try parties(of: "kid", familyRows, rows).map {
                $0.split(separator: ",").dropFirst().joined(separator: ",")
            }
        }
        #expect(
            try told(terms) == [
                "shared_account_token,a1,11,A1,ann,holder,1,shares token token",
                "shared_account_token,a2,12,K1,kid,holder,1,shares token token",
            ])
        let lineage = """
            UPDATE receipt SET opaque_value = x'02', device_hash = x'f2' WHERE receipt_id = 3;
            UPDATE submission SET device_check = 'mismatch' WHERE receipt_id = 3;
            """
        #expect(
            try told(lineage) == [
                "shared_lineage,a2,K1,kid,holder,1,shares installation 02-f2",
                "shared_lineage,a3,A2,ann,copier,1,shares installation 02-f2",
            ])
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
            try signals(familyRows, copies) == [
                "com.example.game,shared_receipt,low,2,1,2,1,2024-05-02,2024-05-05"
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
        #expect(try signals(familyRows, notations) == [])
    }

    @Test("Three accounts on the device of one installation share it, by receipts of different bytes")
    func accountsOfOneLineage() throws {
        let accounts = """
            UPDATE receipt SET opaque_value = x'01', device_hash = x'f1';
            UPDATE submission SET device_id = 'A1', account_id = 'a' || receipt_id;
            """
        #expect(
            try signals(familyRows, accounts, "DELETE FROM receipt_purchase; DELETE FROM purchase;")
                == [
                    "com.example.game,shared_lineage,medium,3,3,1,3,2024-05-01,2024-05-03"
                ])
    }

    @Test("A receipt that the store gave to a server is shared by two devices, though it fits neither")
    func sharedOfServer() throws {
        let copies = """
            UPDATE submission SET device_check = 'server_issued' WHERE receipt_id = 2;
            INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
            VALUES (1 << 32 | 5, 2, 'K2', 'eve', unixepoch('2024-05-05') * 1000, 'server_issued');
            """
        #expect(
            try signals(familyRows, copies).filter { $0.contains("shared_receipt") } == [
                "com.example.game,shared_receipt,medium,2,1,2,2,2024-05-02,2024-05-05"
            ])
    }

    @Test("A purchase without a type is shared like a non-consumable", arguments: ["NULL", "-1", "4"])
    func sharedOfUnknownType(type: String) throws {
        #expect(
            try signals(familyRows, strangerRows, "UPDATE purchase SET product_type = \(type);") == [
                "com.example.game,shared_transaction,medium,3,3,3,2,2024-05-01,2024-05-04"
            ])
    }
}
