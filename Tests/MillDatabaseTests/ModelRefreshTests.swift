import Foundation
import GRDB
import MillSystem
import TestSupport
import Testing

@testable import MillDatabase

@Suite("A refresh of models")
struct ModelRefreshTests {
    private let workdir: Workdir
    private let queue: DatabaseQueue

    init() throws {
        workdir = try Workdir()
        var configuration = Configuration()
        configuration.journalMode = .wal
        queue = try DatabaseQueue(file: workdir.path("mill.sqlite"), configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try Schema.prepare(db)
            try Schema.buildIndices(db, workers: 1)
            try db.execute(
                sql: """
                    INSERT INTO product VALUES (1, 'gold'), (2, 'silver'), (3, 'bronze');
                    INSERT INTO app VALUES (1, 'Production', 'com.example');
                    INSERT INTO purchase (app_id, transaction_id, product_number, purchase_date, as_of)
                    VALUES (1, 7, 1, 1709251199000, 1709251199000);
                    """)
        }
    }

    private func refresh(isStopped: () -> Bool = { false }) throws -> ModelState? {
        try queue.writeWithoutTransaction { try ModelRefresh.run($0, isStopped: isStopped) }
    }

    private func strings(_ sql: String) throws -> [String] { try queue.read { try String.fetchAll($0, sql: sql) } }

    private func setZone(_ zone: String) throws {
        try queue.write { db in
            try db.execute(sql: "INSERT OR REPLACE INTO setting VALUES ('time_zone', ?)", arguments: [zone])
            try ModelState.noteChange(.settings, db)
        }
    }

    @Test("makes strict tables, once more each time, keeps none that models alone read, and says of what they are")
    func tables() throws {
        #expect(try queue.read(ModelState.init) == nil)
        let state = try #require(try refresh())
        #expect(state.isCurrent && state.timeZone == "UTC" && state.refreshedAt > 0)
        #expect(try strings("SELECT CAST(original_id AS TEXT) FROM model_sales") == ["7"])
        _ = try refresh()
        let tables = try Set(strings("SELECT name FROM pragma_table_list WHERE strict AND name LIKE 'model%'"))
        let kept = try Set(ModelCatalog.all().filter(\.isKept).map(\.name))
        #expect(tables == kept.union(Model.seeds).union([ModelState.table, LeftOutRows.table, LoadedLines.table]))
        #expect(!kept.contains("model_holdings") && kept.contains("model_sales"))
        #expect(try strings("SELECT name FROM pragma_index_list('model_users')") == ["model_users_index_1"])
        // The key is the table itself.
        for (table, key) in [("model_sales", ["purchase_id"]), ("model_originals", ["original_id", "app_id"])] {
            #expect(try strings("SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk") == key)
        }
    }

    @Test("is outdated by a noted change, a setting of the zone, and by nothing else")
    func staleness() throws {
        _ = try refresh()
        #expect(try queue.read(ModelState.init)?.isCurrent == true)
        try queue.write { try ModelState.noteAddition($0) }
        #expect(try queue.read(ModelState.init)?.isCurrent == false)
        _ = try refresh()
        try queue.write { try $0.execute(sql: "UPDATE model_state SET definitions = 'of another version'") }
        #expect(try queue.read(ModelState.init)?.isCurrent == false)
        #expect(try refresh()?.isCurrent == true)
    }

    @Test("has the store's days by Pacific clocks, and the store's fiscal months, whatever the zone")
    func storeDays() throws {
        try setZone("Asia/Tokyo")
        _ = try refresh()
        // 2026-03-31 22:30 and 2026-04-01 01:10 in Los Angeles, where both days belong to the fiscal April.
        let instants = [(1_775_021_400_000, 20_543), (1_775_031_000_000, 20_544)]
        for (instant, day) in instants {
            let found = try queue.read { db in
                try Row.fetchOne(
                    db,
                    sql: """
                        SELECT fiscal_month, day
                        FROM (
                            SELECT CASE WHEN ?1 < midnight_ms THEN earlier_day ELSE later_day END AS day
                            FROM model_pacific_days WHERE utc_day = ?1 / 86400000
                        ) JOIN model_fiscal_months ON day BETWEEN begins_day AND ends_day
                        """, arguments: [instant])
            }
            #expect(found == ["fiscal_month": "2026-07", "day": day])
        }
    }

    @Test("tells days by the zone's clocks, also after another zone is set")
    func zones() throws {
        // 2024-02-29 23:59:59 UTC.
        let day = """
            SELECT days.day || ' ' || days.week || ' ' || months.month
            FROM purchase
            LEFT JOIN model_utc_days AS d
                ON d.utc_day = CAST((purchase_date - purchase_date % 86400000) / 86400000 AS BIGINT)
            JOIN model_days AS days
                ON days.day_number = CASE WHEN purchase_date < d.midnight_ms THEN d.earlier_day ELSE d.later_day END
            JOIN model_months AS months
                ON months.month_number = CASE WHEN purchase_date < d.midnight_ms THEN d.earlier_month ELSE d.later_month END
            """
        _ = try refresh()
        #expect(try strings(day) == ["2024-02-29 2024-02-26 2024-02"])
        try setZone("Asia/Tokyo")
        #expect(try refresh()?.timeZone == "Asia/Tokyo")
        #expect(try strings(day) == ["2024-03-01 2024-02-26 2024-03"])
        try setZone("Mars/Olympus")
        #expect(throws: MillError.self) { try refresh() }
        #expect(try strings(day) == ["2024-03-01 2024-02-26 2024-03"])
    }

    @Test("gives a listed price the days until the next one, and none once the list has two currencies")
    func prices() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO setting VALUES ('time_zone', 'Asia/Tokyo');
                    INSERT INTO listed_price VALUES
                        ('gold', 'EUR', 4990, 990, ''), ('gold', 'EUR', 5990, NULL, '2024-01-01'),
                        ('gold', 'USD', 6990, NULL, '2024-02-01'), ('gold', 'EUR', 7990, NULL, '2024-03-01'),
                        ('silver', 'EUR', 1000, NULL, ''), ('silver', 'USD', 1000, NULL, ''),
                        ('bronze', 'EUR', 3000, NULL, '2041-01-01'), ('stranger', 'EUR', 1, NULL, '');
                    """)
        }
        _ = try refresh()
        let spans = try strings(
            """
            SELECT
                product_number || currency || price_milliunits || '/' || coalesce(introductory_milliunits, '-') || ' '
                    || from_ms || ' ' || until_ms
            FROM model_listed_prices ORDER BY product_number, from_ms
            """)
        // Midnight in Tokyo is at 15:00 UTC.
        #expect(
            spans == [
                "1EUR4990/990 -9223372036854775807 1704034800000", "1EUR5990/- 1704034800000 1706713200000",
            ])
    }

    @Test("leaves on the disk the models of before until all are there: a kill at any moment changes nothing")
    func kills() throws {
        _ = try refresh()
        try setZone("America/Los_Angeles")
        let files = ["mill.sqlite", "mill.sqlite-wal"]
        var copies = 0
        _ = try refresh {
            copies += 1
            // What a process that is killed now leaves.
            let killed = try? Workdir()
            for file in files {
                try? FileManager.default.copyItem(atPath: workdir.path(file), toPath: killed?.path(file) ?? "")
            }
            let left = killed.map { Stored($0.path("mill.sqlite")) }
            let lines = try? left?.lines(
                """
                SELECT time_zone, (SELECT count(*) FROM model_sales), (SELECT max(later_day - utc_day) FROM model_utc_days)
                FROM model_state
                """)
            #expect(lines == ["UTC|1|0"])
            return false
        }
        #expect(try copies == ModelCatalog.all().count)
        #expect(try strings("SELECT time_zone FROM model_state") == ["America/Los_Angeles"])
    }

    @Test("that is stopped, or fails in a model, leaves the models of before and says in which it was")
    func failures() throws {
        _ = try refresh()
        try setZone("Asia/Tokyo")
        #expect(try refresh { true } == nil)
        #expect(try strings("SELECT time_zone FROM model_state") == ["UTC"])
        try queue.write { try $0.execute(sql: "ALTER TABLE receipt RENAME TO receipt_elsewhere") }
        let error = #expect(throws: DatabaseError.self) { try refresh() }
        #expect(error?.message?.hasPrefix("model_") == true, "\(String(describing: error))")
        #expect(try strings("SELECT time_zone FROM model_state") == ["UTC"])
        #expect(try strings("SELECT CAST(original_id AS TEXT) FROM model_sales") == ["7"])
    }

    @Test("leaves out and names rows that violate a model's key or a type: the same rows in any order")
    func oddRows() throws {
        for rows in ["(2, 5), (1, 3), (1, 2), (3, 'x')", "(3, 'x'), (1, 2), (1, 3), (2, 5)"] {
            let model = try Model(
                "model_odd",
                """
                -- Key: n
                --
                -- Columns:
                --   n  INTEGER  –  a key
                --   t  INTEGER  –  a value
                SELECT column1, column2 FROM (VALUES \(rows))
                """)
            try queue.write {
                try LeftOutRows.makeTable($0)
                try ModelRefresh.make(model, $0)
            }
            #expect(try strings("SELECT n || ' ' || t FROM model_odd ORDER BY n") == ["1 2", "2 5"])
            let left = try queue.read(LeftOutRows.all)
            #expect(left.map(\.count) == [1, 1] && left.allSatisfy { $0.model == "model_odd" }, "\(left)")
            #expect(Set(left.map(\.examples)) == ["n 1", "n 3"], "\(left)")
        }
    }

    @Test("leaves out a sale whose amount overflows, refreshes the rest, and includes it again once it is corrected")
    func oddSale() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO purchase (app_id, transaction_id, product_number, quantity, purchase_date, as_of)
                    VALUES (1, 8, 2, 10, 1709251199000, 1709251199000);
                    INSERT INTO listed_price VALUES ('silver', 'EUR', 4000000000000000000, NULL, '');
                    """)
        }
        #expect(try refresh()?.leftOut == 1)
        #expect(try strings("SELECT CAST(original_id AS TEXT) FROM model_sales") == ["7"])
        let left = try queue.read(LeftOutRows.all)
        #expect(
            left.map(\.model) == ["model_sales"] && left.first?.examples == "transaction 8 of com.example", "\(left)")
        try queue.write { try $0.execute(sql: "DELETE FROM listed_price") }
        #expect(try refresh()?.leftOut == 0)
        #expect(try strings("SELECT CAST(original_id AS TEXT) FROM model_sales ORDER BY 1") == ["7", "8"])
    }

    @Test("has no quantity if none is stated, and then counts a listed price once")
    func unknownQuantity() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO purchase (app_id, transaction_id, product_number, quantity, purchase_date, as_of)
                    VALUES (1, 8, 1, 3, 1709251199000, 1709251199000);
                    INSERT INTO listed_price VALUES ('gold', 'EUR', 4990, NULL, '');
                    """)
        }
        _ = try refresh()
        #expect(
            try strings(
                "SELECT original_id || ' ' || coalesce(quantity, '-') || ' ' || price_milliunits FROM model_sales ORDER BY 1"
            ) == ["7 - 4990", "8 3 14970"])
        #expect(
            try strings("SELECT transaction_id || ' ' || coalesce(quantity, '-') FROM sales ORDER BY 1") == [
                "7 -", "8 3",
            ])
    }

    @Test("satisfies the headers for a sale without a date")
    func undatedSale() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO purchase (app_id, transaction_id, product_number, quantity, as_of)
                    VALUES (1, 8, 2, 1, 1709251199000);
                    """)
        }
        _ = try refresh()
        #expect(try queue.read(ModelCheck.offences) == [])
        #expect(try strings("SELECT CAST(original_id AS TEXT) FROM model_sales ORDER BY 1") == ["7", "8"])
    }

    @Test("drops models of other versions, and what ANALYZE has counted")
    func leftovers() throws {
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "CREATE TABLE model_of_yore (a); CREATE TABLE models (a); ANALYZE")
        }
        _ = try refresh()
        #expect(try strings("SELECT name FROM sqlite_schema WHERE name IN ('model_of_yore', 'models')") == ["models"])
        #expect(try strings("SELECT tbl FROM sqlite_stat1") == [])
    }

    @Test("removes views of models that this version does not know, and no other view")
    func formerViews() throws {
        try queue.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    CREATE VIEW model_refunds AS SELECT 1; CREATE VIEW mine AS SELECT 1;
                    DROP VIEW internal_refunds
                    """)
            try Schema.prepare($0)
        }
        let names = "'internal_refunds', 'mine', 'model_refunds'"
        #expect(
            try strings("SELECT name FROM sqlite_schema WHERE name IN (\(names)) ORDER BY 1")
                == ["internal_refunds", "mine"])
    }
}
