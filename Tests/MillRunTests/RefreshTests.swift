import DatabaseCare
import Foundation
import GRDB
import MillTestSupport
import ReceiptMint
import TestSupport
import Testing

@testable import MillDatabase
@testable import MillRun
@testable import MillSystem
@testable import ReceiptWarehouse

/// Models behind what changes a database.
@Suite("Models")
struct RefreshTests {
    private let workdir: Workdir
    private let minted: MintedArchive
    private var database: String { workdir.path("mill.sqlite") }

    init() throws {
        workdir = try Workdir()
        minted = try MintedArchive.shared.get()
    }

    @discardableResult
    private func load(_ archives: Int..., refreshes: Bool = true) throws -> RunSummary {
        var ingest = try minted.ingest(into: database, refreshes: refreshes)
        ingest.archives = archives.map { minted.archives[$0] }
        return try ingest.run()
    }

    private func state() throws -> ModelState? { try DatabaseQueue(path: database).read(ModelState.init) }

    private func lines(_ sql: String) throws -> [String] { try Stored(database).lines(sql) }

    /// Purchases that are neither in the models of sales nor a copy.
    private let unsold = """
        SELECT count(*) FROM purchase
        WHERE purchase_id NOT IN (SELECT purchase_id FROM model_sales)
            AND purchase_id NOT IN (SELECT purchase_id FROM model_copies WHERE place > 1)
        """

    @Test("are worked out behind a load, and not again where nothing has changed")
    func load() throws {
        #expect(try load(0).models != nil)
        let first = try #require(try state())
        #expect(first.isCurrent)
        #expect(try lines(unsold) == ["0"])
        let again = try load(0)
        #expect(again.models == nil && again.json.contains("\"refresh_seconds\":0.000"))
        #expect(try state() == first)
        let second = try load(1)
        #expect(second.text.contains(" subscriptions in "))
        #expect(try state()?.isCurrent == true && state() != first)
        #expect(try lines(unsold) == ["0"])
        #expect(try DatabaseCheck(path: database).run().filter { $0.count > 0 }.isEmpty)
    }

    @Test("stay those of before, and are known to be outdated, behind a load that is told to leave them")
    func withoutRefresh() throws {
        try load(0, refreshes: false)
        #expect(try state() == nil)
        try load(0)
        #expect(try state()?.isCurrent == true)
        let sales = try lines("SELECT count(*) FROM model_sales")
        try load(1, refreshes: false)
        #expect(try state()?.isCurrent == false)
        #expect(try lines("SELECT count(*) FROM model_sales") == sales)
        // No line is new, and the models are not of these rows yet.
        #expect(try load(1).models != nil)
        #expect(try lines(unsold) == ["0"])
    }

    @Test("follow a retraction, and are outdated by settings that differ alone")
    func changes() throws {
        try load(0)
        #expect(try lines("SELECT count(*) > 0 FROM model_sales") == ["1"])
        _ = try Retraction(of: [minted.truth.archives[0].name], from: database).run()
        #expect(try lines("SELECT count(*) FROM model_sales") == ["0"])
        #expect(try state()?.isCurrent == true)
        let loading = try Warehouse(path: database)
        try loading.settings.save(timeZone: LocalCalendar(zone: "Asia/Tokyo"))
        #expect(try state()?.isCurrent == false)
        try loading.models.refresh()
        try loading.settings.save(timeZone: LocalCalendar(zone: "Asia/Tokyo"))
        try loading.settings.save([ListedPrice]())
        #expect(try state()?.isCurrent == true)
        try loading.settings.save([ListedPrice(product: "gold", currency: "EUR", milliunits: 1)])
        #expect(try state()?.isCurrent == false)
    }

    @Test("hold nothing of a person who was erased, at once", arguments: [true, false])
    func erasure(refreshes: Bool) throws {
        try load(0, 1)
        let name = try #require(
            // A UUID, which columns that lie side by side don't spell by chance, as they do a short name.
            try lines("SELECT name FROM model_users WHERE is_device = 1 AND length(name) = 36 ORDER BY name").first)
        var erasure = Erasure(.device(name), from: database)
        erasure.refreshes = refreshes
        #expect(try erasure.run().submissions > 0)
        #expect(try state()?.isCurrent == (refreshes ? true : nil))
        if refreshes { #expect(try lines("SELECT count(*) FROM model_users WHERE name = '\(name)'") == ["0"]) }
        for file in ["mill.sqlite", "mill.sqlite-wal"] where FileManager.default.fileExists(atPath: workdir.path(file))
        {
            #expect(Data(try workdir.read(file)).range(of: Data(name.utf8)) == nil, "\(file)")
        }
    }

    @Test("are left as they were by a load that is stopped, and made by the next")
    func stopped() throws {
        try load(0)
        let first = try state()
        try load(1, refreshes: false)
        let loading = try Warehouse(path: database)
        let stop = CancellationFlag()
        stop.cancel()
        #expect(try loading.models.refresh(stop: stop) == nil)
        #expect(try state()?.refreshedAt == first?.refreshedAt)
        #expect(try loading.models.refresh()?.isCurrent == true)
    }

    @Test("that break what their headers say are found by check")
    func checked() throws {
        try load(0)
        let queue = try DatabaseQueue(path: database)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE kept AS SELECT * FROM model_sales;
                    DROP TABLE model_sales;
                    CREATE TABLE model_sales AS SELECT * FROM temp.kept;
                    INSERT INTO model_sales SELECT * FROM temp.kept LIMIT 2;
                    """)
        }
        let findings = try DatabaseCheck(path: database).run().filter { $0.count > 0 }
        #expect(findings.map(\.name) == ["model_differs_from_header"])
        #expect(findings.first?.offences == ["model_sales: 2 keys (purchase_id) stand more than once"])
    }

    @Test("whose rows are not what their documents give are found by check in a sample")
    func sampled() throws {
        try load(0)
        let queue = try DatabaseQueue(path: database)
        func findings() throws -> [String] {
            try DatabaseCheck(path: database).run().filter { $0.count > 0 }.map(\.name)
        }
        #expect(try findings() == [])
        try queue.write { try $0.execute(sql: "UPDATE model_sales SET quantity = quantity + 1") }
        #expect(try findings() == ["model_differs_from_rows"])
    }

    @Test("The catalog lists public objects alone, each column of each with its type and meaning")
    func catalog() throws {
        try load(0)
        #expect(
            try lines(
                "SELECT layer, type, unit, meaning FROM catalog WHERE object = 'receipts' AND \"column\" = 'verdict'"
            )
            .count == 1)
        let missing = """
            SELECT object, "column" FROM catalog
            WHERE "column" NOT IN (SELECT name FROM pragma_table_info(object))
            """
        #expect(try lines(missing) == [])
        let views = """
            SELECT name FROM sqlite_schema WHERE type = 'view' AND name NOT GLOB 'internal_*'
            AND name NOT IN ('days', 'months', 'rates', 'signal_settings')
            ORDER BY 1
            """
        #expect(try lines("SELECT DISTINCT object FROM catalog ORDER BY 1") == lines(views))
        for object in ["purchases", "entitlements", "app_owners", "fraud_signals", "submissions"] {
            #expect(
                try lines("SELECT name FROM pragma_table_info('\(object)') ORDER BY 1")
                    == lines("SELECT \"column\" FROM catalog WHERE object = '\(object)' AND meaning <> '' ORDER BY 1"))
        }
    }

    @Test("The catalog's types are those of the values")
    func catalogTypes() throws {
        try load(0, 1)
        let columns = try Stored(database).rows("SELECT object, \"column\", type FROM catalog WHERE type <> 'ANY'")
        #expect(columns.count > 300)
        for (object, columns) in Dictionary(grouping: columns, by: { $0[0] as String }) {
            let others = columns.map { column in
                let (name, type): (String, String) = (column[1], column[2])
                return "coalesce(sum(typeof(\"\(name)\") NOT IN ('null', lower('\(type)'))), 0) AS \"\(name)\""
            }
            let found = try Stored(database).rows("SELECT \(others.joined(separator: ", ")) FROM \(object)")
            let odd = found.flatMap { row in row.filter { $0.1 != 0.databaseValue }.map(\.0) }
            #expect(odd == [], "\(object): of another type than the catalog's")
        }
    }
}
