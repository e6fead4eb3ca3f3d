import GRDB
import TestSupport
import Testing

@testable import MillDatabase

@Suite("Numbers of customers")
struct ModelNumbersTests {
    private let workdir: Workdir
    private let queue: DatabaseQueue

    init() throws {
        workdir = try Workdir()
        queue = try DatabaseQueue(file: workdir.path("mill.sqlite"))
        try queue.writeWithoutTransaction { db in
            try Schema.prepare(db)
            try Schema.buildIndices(db, workers: 1)
            try db.execute(sql: "INSERT INTO app VALUES (1, 'Production', 'com.example')")
        }
    }

    private func buy(_ transactions: Int...) throws {
        try queue.write { db in
            for transaction in transactions {
                try db.execute(
                    sql: "INSERT INTO purchase (app_id, transaction_id, purchase_date, as_of) VALUES (1, ?, 0, 0)",
                    arguments: [transaction])
            }
        }
    }

    /// Numbers by customer, after a refresh.
    private func numbers() throws -> [String: Int] {
        try queue.writeWithoutTransaction { _ = try ModelRefresh.run($0, isWhole: true) }
        return try queue.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT name, customer_id FROM model_customer_numbers")
            let sold = try Set(Int.fetchAll(db, sql: "SELECT DISTINCT customer_id FROM model_sales"))
            #expect(sold == Set(rows.map { $0[1] }))
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
        }
    }

    @Test("are given in the order of names at first, and stay when customers come whose names precede")
    func newCustomers() throws {
        try buy(30, 20)
        #expect(try numbers() == ["20": 1, "30": 2])
        try buy(10, 25)
        #expect(try numbers() == ["20": 1, "30": 2, "10": 3, "25": 4])
    }

    @Test("end with the last row that names the customer")
    func formerCustomers() throws {
        try buy(10, 20, 30)
        #expect(try numbers() == ["10": 1, "20": 2, "30": 3])
        try queue.write { try $0.execute(sql: "DELETE FROM purchase WHERE transaction_id = 20") }
        #expect(try numbers() == ["10": 1, "30": 3])
    }

    @Test("do not pass to another customer in the refresh that deletes them")
    func replacedCustomer() throws {
        try buy(10, 20)
        #expect(try numbers() == ["10": 1, "20": 2])
        try queue.write { try $0.execute(sql: "DELETE FROM purchase WHERE transaction_id = 20") }
        try buy(30)
        #expect(try numbers() == ["10": 1, "30": 3])
    }

    @Test(
        "stay when another version replaces the views, whether a table becomes a view or a view a table",
        arguments: [
            ("DROP VIEW internal_trials; CREATE TABLE internal_trials (app_id INTEGER)", "internal_trials", "view"),
            ("DROP TABLE model_sales; CREATE VIEW model_sales AS SELECT 1 AS app_id", "model_sales", "table"),
        ])
    func furtherVersion(sql: String, name: String, kind: String) throws {
        try buy(30, 20)
        #expect(try numbers() == ["20": 1, "30": 2])
        try buy(10)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: sql)
            try Schema.prepare(db)
            let made = try String.fetchOne(
                db, sql: "SELECT type FROM sqlite_schema WHERE name = ?", arguments: [name])
            #expect(made == kind)
        }
        #expect(try numbers() == ["20": 1, "30": 2, "10": 3])
    }
}
