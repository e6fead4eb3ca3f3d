import MillTestSupport
internal import TestSupport
internal import Testing

@Suite("Notifications and what they hold") struct NotificationsTests {
    private let stored: Stored
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(rows: signedRows)
        stored = Stored(database.path)
    }

    @Test("Of two deliveries the one signed first; of a forged transaction the renewal info beside it; tests alone")
    func notifications() throws {
        #expect(
            try stored.lines(
                """
                SELECT receipt_sha256, notification_uuid, notification_type, subtype, signed_at, bundle_id, app_apple_id,
                    transaction_id, original_transaction_id, product_id, status, first_submitted_at
                FROM notifications ORDER BY 1
                """) == [
                    "a3|u1|DID_RENEW|-|2024-03-01T00:00:00Z|club|77|900|890|monthly|1|2024-03-02T01:00:00Z",
                    "a6|u2|DID_CHANGE_RENEWAL_STATUS|AUTO_RENEW_DISABLED|2024-03-05T00:00:00Z|club|77|-|890|monthly|1|"
                        + "2024-03-05T00:00:00Z",
                    "a8|-|TEST|-|2024-03-06T00:00:00Z|club|77|-|-|-|-|-",
                    "a9|-|TEST|-|2024-03-01T00:00:00Z|club|77|-|-|-|-|-",
                ])
    }

    @Test("Parts, whatever the verdicts")
    func parts() throws {
        #expect(
            try stored.lines("SELECT * FROM receipt_parts ORDER BY 1, 2") == [
                "a3|renewal|a2", "a3|transaction|a1", "a4|renewal|a2", "a4|transaction|a1", "a6|renewal|a5",
                "a6|transaction|a7",
            ])
    }

    @Test("A forged transaction inside a notification is a signal of the notification's line")
    func forged() throws {
        #expect(
            try stored.lines("SELECT signal, severity, receipt_sha256, line FROM fraud_signals")
                == ["forged_signature|high|a7|3"])
    }

    @Test("A line's second document, and which one was rejected where a line has several")
    func documents() throws {
        #expect(
            try stored.lines("SELECT line, document FROM rejections ORDER BY 1") == ["3|-", "7|3", "8|-", "9|1"])
        let listed = try stored.lines(
            "SELECT substr(submission_id, 3), receipt_sha256 FROM submissions WHERE line IN (7, 9) ORDER BY 1")
        #expect(listed.map { String($0.drop { $0 == ":" }) } == ["7|b1", "7.2|b2", "9.2|b3"])
    }
}
