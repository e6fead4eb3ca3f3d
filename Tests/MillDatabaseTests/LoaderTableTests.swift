import GRDB
import ReceiptSQL
import Testing

@testable import MillDatabase

@Suite("The description of the loader's tables")
struct LoaderTableTests {
    private let queue: DatabaseQueue

    init() throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        queue = try DatabaseQueue(configuration: configuration)
        try queue.writeWithoutTransaction { db in try Schema.createTables(db) }
    }

    private static let owners: [LoaderTable.Owner] = [
        .archive, .submission, .receipt, .purchase, .reportFile, .subject,
    ]

    @Test("names every table of the schema once")
    func everyTable() throws {
        let tables = try queue.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
        #expect(LoaderTable.all.map(\.name).sorted() == tables.sorted())
    }

    /// A row stays where it refers to an owner by a column that may be null: it is merged from several documents, or
    /// loses the reference. So does an owner's own row, of which the code decides.
    @Test("has every required reference to an owner as a key")
    func references() throws {
        let owners = Dictionary(uniqueKeysWithValues: Self.owners.map { ($0.table, $0) })
        try queue.read { db in
            for table in LoaderTable.all where owners[table.name] == nil {
                let required = try String.fetchSet(
                    db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE \"notnull\" OR pk", arguments: [table.name])
                for row in try Row.fetchAll(db, sql: "PRAGMA foreign_key_list(\(table.name))") {
                    let (target, column): (String, String) = (row["table"], row["from"])
                    guard let owner = owners[target], required.contains(column) else { continue }
                    #expect(table.owner == owner, "\(table.name)")
                    let columns = table.keys?.flatMap { $0.map(\.key) } ?? owner.identifier
                    // A digest leads to one receipt as well as its number does.
                    #expect(columns.contains(column) || table.name == "receipt_digest", "\(table.name).\(column)")
                }
            }
        }
    }

    @Test("leads to the rows of one owner, and deletes these alone", arguments: owners)
    func rowsOfOwner(owner: LoaderTable.Owner) throws {
        let tables = LoaderTable.all.filter { $0.owner == owner }
        try queue.write { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
            for number in 1...2 {
                for table in tables.map(\.name) + ["app"] { try insert(number, into: table, db) }
            }
            let identifier = owner.identifier.joined(separator: ", ")
            try db.execute(
                sql: """
                    CREATE TEMP TABLE chosen AS
                    SELECT \(identifier) FROM \(owner.table) WHERE \(owner.identifier[0]) = 1
                    """)
            for table in tables {
                let rows = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.rows(ofOwnersIn: "temp.chosen"))")
                #expect(rows == 1, "\(table.name)")
            }
            let kept = try tables.map {
                try Row.fetchAll(db, sql: "SELECT * FROM \($0.name)").dropFirst().map(\.description)
            }
            let counts = try LoaderTable.deleteRows(of: owner, in: "temp.chosen", db)
            #expect(counts == Dictionary(uniqueKeysWithValues: tables.map { ($0.name, 1) }))
            #expect(
                try tables.map { try Row.fetchAll(db, sql: "SELECT * FROM \($0.name)").map(\.description) } == kept)
        }
    }

    /// Inserts a row with a number, or its text or byte, in every column.
    private func insert(_ number: Int, into table: String, _ db: Database) throws {
        let columns = try Row.fetchAll(
            db, sql: "SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [table])
        let values = columns.map { row -> String in
            // The archive is in the upper half of a letter's number.
            if row[0] == "letter_id" { return "\(number) << 32" }
            return switch row[1] as String {
            case "TEXT": "'\(number)'"
            case "BLOB": "x'0\(number)'"
            default: "\(number)"
            }
        }
        let names = columns.map { $0[0] as String }.joined(separator: ", ")
        try db.execute(sql: "INSERT INTO \(table) (\(names)) VALUES (\(values.joined(separator: ", ")))")
    }

    @Test("finds a part by the document that holds it and by its own")
    func parts() throws {
        try queue.write { db in
            for receipt in 1...3 { try insert(receipt, into: "receipt", db) }
            try db.execute(
                sql: """
                    INSERT INTO receipt_part VALUES (1, 'renewal', 2), (2, 'renewal', 3), (3, 'renewal', 1),
                        (3, 'transaction', 2)
                    """)
            try LoaderTable.deleteRows(of: .receipt, in: "(SELECT 1 AS receipt_id)", db)
            #expect(
                try String.fetchAll(db, sql: "SELECT receipt_id || part FROM receipt_part") == [
                    "2renewal", "3transaction",
                ])
        }
    }

    /// The lists that regrading, erasure and retraction had of their own, before there was a description.
    @Test("has the tables that former lists named")
    func formerLists() {
        let signed = [
            "renewal", "notification", "revocation", "app_transaction", "realtime_request", "seat_revocation",
            "commerce",
            "commerce_item", "commerce_refund",
        ]
        #expect(
            Set(LoaderTable.stated)
                == Set(
                    signed + [
                        "purchase", "claimed_purchase", "purchase_terms", "receipt_purchase", "reviewable_receipt",
                        "receipt_digest", "receipt_lineage",
                    ]))
        let former: [LoaderTable.Owner: [String]] = [
            .receipt: signed + [
                "receipt_part", "raw_receipt", "reviewable_receipt", "receipt_purchase", "receipt_digest",
                "receipt_lineage", "receipt",
            ],
            .submission: ["signal_sighting", "late_submission", "submission"],
            .archive: ["dead_letter", "rejection", "archive_place", "archive_prefix", "archive"],
            .reportFile: ["store_sale", "store_row", "store_rejection", "store_period", "store_file"],
            .subject: ["decision_signal", "decision", "allowed_subject"],
        ]
        for (owner, tables) in former {
            #expect(Set(LoaderTable.all.filter { $0.owner == owner }.map(\.name)) == Set(tables))
        }
        #expect(Set(LoaderTable.namingSubjects) == ["decision", "allowed_subject"])
    }

    /// A lake is made of decoded archives: it holds no report files, and nothing that a run or a person has done.
    @Test("has the tables of lakes, and states which ones lakes don't have")
    func lakes() {
        let lake = Set(SQLFile.files(in: "lake/tables").map(\.name))
        let described = Set(LoaderTable.all.map(\.name))
        #expect(lake.subtracting(described) == [])
        let absent: Set = [
            "archive_place", "archive_prefix", "dead_letter", "late_submission", "raw_receipt", "reviewable_receipt",
        ]
        let ofDocuments = LoaderTable.all.filter {
            [.archive, .submission, .receipt, .purchase, .subject].contains($0.owner)
        }
        #expect(Set(ofDocuments.map(\.name)).subtracting(lake) == absent.union(["consumption_answer"]))
    }
}
