import MillTestSupport
internal import Testing

/// What the built-in reports answer on the sample rows.
@Suite struct ReportAnswersTests {
    let database: SampleDatabase

    init() throws { database = try SampleDatabase(rows: sampleRows) }

    @Test("Owners count once, versions are in their own order, and trials and refunds are no purchases")
    func freemiumMigration() throws {
        #expect(
            try database.output(of: "freemium-migration", with: [("environment", "Production,ProductionVPP")])
                == csv(
                    """
                    environment,bundle_id,era,original_application_version,owners,buyers,trial_only,\
                    canceled_only,without_purchases,buyer_rate,cohort,already,within_7_days,within_30_days,\
                    within_90_days,by_first_seen
                    Production,com.example.cards,paid,1.9,1,1,0,0,0,1.0,(all),,,,,1
                    Production,com.example.cards,free,1.10,3,0,1,1,1,0.0,(all),,,,,3
                    ProductionVPP,com.example.chess,unknown,(none),1,1,0,0,0,1.0,(all),,,,,1
                    """))
    }

    @Test("A sandbox owner appears only when its environment is asked for, and its era is unknown")
    func freemiumMigrationOfSandbox() throws {
        #expect(
            try database.output(of: "freemium-migration", with: [("environment", "ProductionSandbox")])
                == csv(
                    """
                    environment,bundle_id,era,original_application_version,owners,buyers,trial_only,\
                    canceled_only,without_purchases,buyer_rate,cohort,already,within_7_days,within_30_days,\
                    within_90_days,by_first_seen
                    ProductionSandbox,com.example.cards,unknown,1.0,1,0,0,1,0,0.0,(all),,,,,1
                    """))
    }

    @Test("The last second of a month belongs to it, and a transaction in two receipts counts once")
    func refunds() throws {
        #expect(
            try answer("refunds", ("by", "product"), ("environment", "Production,ProductionVPP")) == [
                "Production,com.example.cards,2024-01,gems,(none),none,1,1,,,,,0,2024-04-01",
                "Production,com.example.cards,2024-02,gems,(none),none,1,1,,,,,0,2024-04-30",
                "Production,com.example.cards,2024-02,gold,(none),none,1,0,,,,,0,2024-04-30",
                "Production,com.example.cards,2024-03,gems,(none),none,0,0,,,,,0,2024-05-31",
                "Production,com.example.cards,2024-03,gold,(none),none,0,0,,,,,0,2024-05-31",
                "ProductionVPP,com.example.chess,2024-02,gold,(none),none,1,0,,,,,0,2024-04-30",
                "ProductionVPP,com.example.chess,2024-03,gold,(none),none,0,0,,,,,0,2024-05-31",
            ])
        #expect(
            try answer("revenue") == [
                "Production,com.example.cards,2024-01,gems,(all),(all),(none),none,1,,0,,,,,0,1",
                "Production,com.example.cards,2024-02,gems,(all),(all),(none),none,1,,1,,,,,0,1",
                "Production,com.example.cards,2024-02,gold,(all),(all),(none),none,1,,0,,,,,1,1",
                "Production,com.example.cards,2024-03,gems,(all),(all),(none),none,0,,1,,,,,0,0",
                "Production,com.example.cards,2024-03,gold,(all),(all),(none),none,0,,0,,,,,0,0",
            ])
    }

    @Test("The first and the last month asked for both count, of sales and of refunds")
    func oneMonth() throws {
        let month = [("from", "2024-02"), ("until", "2024-02"), ("bundle", "com.example.cards")]
        #expect(
            try database.rows(of: "refunds", with: month + [("by", "product")]) == [
                "Production,com.example.cards,2024-02,gems,(none),none,1,1,,,,,0,2024-04-30",
                "Production,com.example.cards,2024-02,gold,(none),none,1,0,,,,,0,2024-04-30",
            ])
        #expect(
            try database.rows(of: "revenue", with: month) == [
                "Production,com.example.cards,2024-02,gems,(all),(all),(none),none,1,,1,,,,,0,1",
                "Production,com.example.cards,2024-02,gold,(all),(all),(none),none,1,,0,,,,,1,1",
            ])
    }

    @Test("Devices are counted over the lineage in any notation, and forged receipts prove nothing")
    func deviceHashMismatches() throws {
        #expect(
            try database.output(
                of: "device-hash-mismatches", with: [("environment", "Production,ProductionVPP")])
                == csv(
                    """
                    submitted_at,device_id,account_id,environment,bundle_id,other_devices,\
                    other_accounts,is_bound,purchases,receipt_sha256,submission_id,archive,line
                    2024-03-05T00:00:00Z,X1-00,,ProductionVPP,com.example.chess,1,1,0,1,a7,11:9,\
                    night.jsonl.gz,9
                    2024-03-03T00:00:00Z,A2-00,ann,Production,com.example.cards,1,0,1,2,a1,11:3,\
                    night.jsonl.gz,3
                    2024-03-11T00:00:00Z,A2-00,ann,Production,com.example.cards,1,0,1,2,a2,22:3,\
                    night.jsonl.gz,3
                    """))
        #expect(
            try database.output(
                of: "device-hash-mismatches", with: [("environment", "all"), ("min_devices", "2")]
            )
            .split(separator: "\r\n").count == 1)
    }

    private func answer(_ name: String, _ settings: (name: String, text: String)...) throws -> [String] {
        try database.rows(of: name, with: settings)
    }

    @Test("Owners to grandfather come with the receipt that proves it")
    func freemiumOwners() throws {
        #expect(
            try answer("freemium-owners") == [
                "Production,com.example.cards,account,ann,paid,1.9,,a1,2024-03-01T00:00:00Z,,,,"
            ])
    }

    @Test("An account that holds a NUL is written whole")
    func accountWithZero() throws {
        let odd = try SampleDatabase(
            rows: sampleRows + "UPDATE submission SET account_id = 'ann' || char(0) || 'b' WHERE account_id = 'ann';")
        let owners = try odd.rows(of: "freemium-owners")
        #expect(owners == ["Production,com.example.cards,account,ann\\u{0}b,paid,1.9,,a1,2024-03-01T00:00:00Z,,,,"])
    }

    @Test("An unknown era comes with its reason")
    func freemiumUnknownEras() throws {
        let found = try answer("freemium-owners", ("era", "unknown"), ("environment", "all"))
        #expect(
            found == [
                "ProductionSandbox,com.example.cards,account,eve,unknown,1.0,,a6,2024-03-04T00:00:00Z,,,sandbox,",
                "ProductionVPP,com.example.chess,account,fay,unknown,(none),,,2024-03-04T00:00:00Z,,,no_original_version,",
            ])
    }

    @Test("A date before the switch disagrees with a version after it")
    func freemiumDisagreements() throws {
        let database = try SampleDatabase(
            rows: sampleRows
                + "UPDATE receipt SET original_purchase_date = unixepoch('2019-01-01') * 1000 WHERE receipt_id = 3;")
        let found = try database.output(
            of: "freemium-owners", with: [("era", "disagreeing"), ("free_since", "2020-01-01")])
        #expect(
            found.split(separator: "\r\n").dropFirst() == [
                "Production,com.example.cards,device,B1-00,free,1.10,2019-01-01T00:00:00Z,a3,2024-03-01T00:00:00Z,paid,2020-01-01,,"
            ])
    }

    @Test("Who bought before being seen counts at once, who only tried or was refunded never")
    func freemiumConversion() throws {
        #expect(
            try answer("freemium-migration", ("by", "month"), ("environment", "all")) == [
                "Production,com.example.cards,paid,(all),1,1,0,0,0,1.0,2024-03,1,,,,1",
                "Production,com.example.cards,free,(all),3,0,1,1,1,0.0,2024-03,0,,,,3",
                "ProductionSandbox,com.example.cards,unknown,(all),1,0,0,1,0,0.0,2024-03,0,,,,1",
                "ProductionVPP,com.example.chess,unknown,(all),1,1,0,0,0,1.0,2024-03,1,,,,1",
            ])
    }

    @Test("A device that should refresh its receipt is listed with each reason")
    func receiptsToRefresh() throws {
        #expect(
            try answer("receipts-to-refresh", ("environment", "Production,ProductionVPP")) == [
                "Production,com.example.cards,A2-00,ann,hash_mismatch,2,2024-03-11T00:00:00Z,a2,,"
                    + "ann,account,2024-03-11T00:00:00Z,2024-03-10T00:00:00Z",
                "ProductionVPP,com.example.chess,X1-00,,hash_mismatch,1,2024-03-05T00:00:00Z,a7,,"
                    + "X1-00,device,2024-03-05T00:00:00Z,2024-03-01T00:00:00Z",
                "ProductionVPP,com.example.chess,F1-00,fay,no_original_version,1,2024-03-04T00:00:00Z,a7,,"
                    + "fay,account,2024-03-04T00:00:00Z,2024-03-01T00:00:00Z",
                "ProductionVPP,com.example.chess,X1-00,,no_original_version,1,2024-03-05T00:00:00Z,a7,,"
                    + "X1-00,device,2024-03-05T00:00:00Z,2024-03-01T00:00:00Z",
                "Production,com.example.cards,G1-00,gus,not_trusted,1,2024-03-05T00:00:00Z,a8,,"
                    + "gus,account,2024-03-05T00:00:00Z,2024-03-10T00:00:00Z",
            ])
    }
}
