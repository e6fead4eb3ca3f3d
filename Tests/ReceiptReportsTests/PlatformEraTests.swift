internal import MillTestSupport
internal import TestSupport
internal import Testing

/// Eras of owners who got an app on platforms with different version numbers, worked out by hand.
@Suite struct PlatformEraTests {
    /// | owner | document | platform | original version |
    /// | --- | --- | --- | --- |
    /// | ann | app transaction | iOS | 90 |
    /// | ben | app transaction | iOS | 120 |
    /// | cho | app transaction | macOS | 1.5 |
    /// | dee | app transaction | macOS | 3.0 |
    /// | eve | app transaction | tvOS | 50 |
    /// | fay | app transaction | none stated | 1.5 |
    /// | gus | receipt whose hash is of a network address | | 3.0 |
    /// | hal | receipt whose hash is of a UUID | | 120 |
    /// | ida | app transactions | iOS, macOS | 120, 1.5 |
    private static let rows = """
        INSERT INTO archive
            (archive_id, name, sha256, bytes, lines, loaded_lines, complete, first_loaded_at, completed_at)
        VALUES (1, 'night.gz', x'11', 1, 10, 10, 1, 0, 0);
        INSERT INTO app VALUES (1, 'Production', 'com.example.two');
        INSERT INTO version VALUES (1, '90', '090'), (2, '120', '120'), (3, '1.5', '001.005'), (4, '3.0', '003.000'), (5, '50', '050');
        INSERT INTO receipt
            (receipt_id, sha256, kind, verdict, app_id, original_application_version_id, receipt_creation_date, purchase_count, bytes)
        SELECT
            value ->> 0, CAST(printf('%02d', value ->> 0) AS BLOB), value ->> 1, 'trusted', 1, value ->> 2,
            unixepoch('2026-03-01') * 1000, 0, 1
        FROM json_each('[
            [1, "app_transaction", 1], [2, "app_transaction", 2], [3, "app_transaction", 3], [4, "app_transaction", 4],
            [5, "app_transaction", 5], [6, "app_transaction", 3], [7, "app_receipt", 4], [8, "app_receipt", 2],
            [9, "app_transaction", 2], [10, "app_transaction", 3]]');
        INSERT INTO app_transaction (receipt_id, original_platform) VALUES
            (1, 'iOS'), (2, 'iOS'), (3, 'macOS'), (4, 'macOS'), (5, 'tvOS'), (6, NULL), (9, 'iOS'), (10, 'macOS');
        INSERT INTO submission (submission_id, receipt_id, device_id, account_id, submitted_at, device_check)
        SELECT (1 << 32) + (value ->> 0), value ->> 0, value ->> 1, value ->> 2, unixepoch('2026-03-02') * 1000, value ->> 3
        FROM json_each('[
            [1, null, "ann", "no_device_id"], [2, null, "ben", "no_device_id"], [3, null, "cho", "no_device_id"],
            [4, null, "dee", "no_device_id"], [5, null, "eve", "no_device_id"], [6, null, "fay", "no_device_id"],
            [7, "00:1b:63:84:45:e6", "gus", "match"], [8, "5A0B7D2E-8C3F-4E1B-9A6D-2F4C8B1E7A90", "hal", "match"],
            [9, null, "ida", "no_device_id"], [10, null, "ida", "no_device_id"]]');
        """

    private func eras(_ settings: String) throws -> [String] {
        let database = try SampleDatabase(rows: Self.rows + "INSERT INTO app_setting VALUES \(settings);")
        let owners = try Stored(database.path).lines(
            "SELECT owner, era, coalesce(reason, platform, '') FROM owner_evidence ORDER BY owner")
        let counted = try Stored(database.path).lines(
            """
            SELECT sum(owners) FROM model_owner_counts AS owned JOIN app ON app.app_id = owned.app_id
            """)
        #expect(counted == ["9"])
        return owners
    }

    @Test("Each platform is judged by its own first free version, in the owner's favour")
    func own() throws {
        #expect(
            try eras("('com.example.two', 'ios', '100', '100'), ('com.example.two', 'macos', '2.0', '002.000')") == [
                "ann|paid|ios", "ben|free|ios", "cho|paid|macos", "dee|free|macos", "eve|unknown|platform_not_set",
                "fay|unknown|platform_not_told", "gus|free|macos", "hal|free|mobile", "ida|paid|macos",
            ])
    }

    @Test("Versions of a platform that is not set are not compared with those of another")
    func other() throws {
        #expect(
            try eras("('com.example.two', 'ios', '100', '100')") == [
                "ann|paid|ios", "ben|free|ios", "cho|unknown|platform_not_set", "dee|unknown|platform_not_set",
                "eve|unknown|platform_not_set", "fay|paid|", "gus|unknown|platform_not_set", "hal|free|mobile",
                "ida|free|ios",
            ])
    }

    @Test("A version that is set without a platform applies to all platforms")
    func all() throws {
        #expect(
            try eras("('com.example.two', '', '100', '100')") == [
                "ann|paid|ios", "ben|free|ios", "cho|paid|macos", "dee|paid|macos", "eve|paid|tvos", "fay|paid|",
                "gus|paid|macos", "hal|free|mobile", "ida|paid|macos",
            ])
    }

    @Test("The report counts the same eras")
    func counted() throws {
        let database = try SampleDatabase(
            rows: Self.rows + """
                INSERT INTO app_setting VALUES
                    ('com.example.two', 'ios', '100', '100'), ('com.example.two', 'macos', '2.0', '002.000');
                """)
        let rows = try database.rows(of: "freemium-migration").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)[2...4].joined(separator: ",")
        }
        #expect(
            rows == ["paid,1.5,2", "paid,90,1", "free,3.0,2", "free,120,2", "unknown,1.5,1", "unknown,50,1"])
    }
}
