import MillTestSupport
internal import TestSupport
internal import Testing

@Suite("The view renewals") struct RenewalsTests {
    private func apps(after changes: String = "") throws -> [String] {
        let database = try SampleDatabase(rows: signedRows + changes)
        return try Stored(database.path).lines(
            "SELECT environment, bundle_id, original_transaction_id FROM renewals ORDER BY 3")
    }

    @Test("has the one signed last, and of those signed at once the greater digest")
    func latest() throws {
        let database = try SampleDatabase(rows: signedRows)
        #expect(
            try Stored(database.path).lines(
                """
                SELECT original_transaction_id, product_id, auto_renew_product_id, auto_renew_status,
                    renewal_price_milliunits, currency, signed_at, receipt_sha256
                FROM renewals ORDER BY 1
                """) == [
                    "800|monthly|monthly|1|-|-|2021-11-01T00:00:00Z|b0",
                    "890|monthly|monthly|1|5990|EUR|2024-03-05T00:00:00Z|b2",
                ])
    }

    @Test("names the app of the subscription, by environment")
    func byPurchase() throws {
        #expect(try apps() == ["-|old|800", "Production|club|890"])
    }

    @Test("names the app of what another renewal info of the subscription came with")
    func byNotification() throws {
        #expect(try apps(after: "DELETE FROM purchase;") == ["-|-|800", "Production|club|890"])
        // The notifications alone: nothing stands beside the renewal infos.
        let alone = "DELETE FROM purchase; DELETE FROM receipt_part WHERE part = 'transaction';"
        #expect(try apps(after: alone) == ["-|-|800", "Production|club|890"])
    }

    @Test("believes no app of what is not trusted")
    func untrusted() throws {
        let forged = """
            DELETE FROM purchase;
            UPDATE receipt SET verdict = 'untrusted_root' WHERE kind IN ('notification', 'signed_transaction');
            """
        #expect(try apps(after: forged) == ["-|-|800", "Production|-|890"])
    }
}
