internal import GRDB
internal import ReceiptSQL

/// What a refresh computes anew: everything that is tied to what was loaded since the last one. Things that are tied to each
/// other are in one slice, so that rows within it depend on no row outside it.
///
/// A first set is found by `sql/slices/new`, and completed by ``SliceKey``s, round by round, until no more is found.
struct Slice {
    private let db: Database
    /// Slices with more than this share of all transactions take longer than computing everything.
    static let maximumShare = 0.25
    /// The maximum number of transactions of a sample: a few may be tied to nearly all others.
    private static let maximumSample = 50_000

    init(_ db: Database) { self.db = db }

    /// Finds what was loaded since the last refresh, and all that is tied to it.
    ///
    /// - Parameter share: the maximum share of all transactions.
    /// - Returns: whether the slice is small enough to be computed by itself.
    func findNew(upTo share: Double) throws -> Bool {
        // The number of rows would cost a scan; numbers of deleted purchases are few.
        let purchases = try Int.fetchOne(db, sql: "SELECT max(purchase_id) FROM purchase") ?? 0
        return try find(
            SQLFile.files(in: "slices/new").map { ($0.name, $0.text) },
            upTo: Int(Double(purchases) * share))
    }

    /// Finds all that is tied to some transactions, chosen at random.
    ///
    /// - Returns: whether the slice is small enough for a sample.
    func findSample(of transactions: Int) throws -> Bool {
        let chosen = """
            WITH RECURSIVE places (place) AS (
                SELECT 1 UNION ALL SELECT place + 1 FROM places WHERE place < \(transactions)
            )
            SELECT purchase.purchase_id FROM places CROSS JOIN purchase
            ON purchase.purchase_id = 1 + abs(random() / 2) % (SELECT max(purchase_id) FROM purchase)
            """
        return try find([("purchases", chosen)], upTo: Self.maximumSample)
    }

    /// Finds what certain SELECTs return, each named as the ``SliceKey`` of its columns, and all that is tied to it.
    ///
    /// - Returns: whether it has no more than so many transactions.
    private func find(_ selects: [(key: String, select: String)], upTo maximum: Int) throws -> Bool {
        try db.execute(
            sql: "CREATE TEMP TABLE slice_round (round INTEGER NOT NULL); INSERT INTO slice_round VALUES (0)")
        for key in SliceKey.all { try db.execute(sql: key.definition) }
        for (name, select) in selects {
            guard let key = SliceKey.all.first(where: { $0.name == name }) else { continue }
            try insertion(of: select, into: key, round: "0").execute()
        }
        // Long chains of accounts and documents take a round for each link, so that each round has to be cheap.
        let insertions = try SliceKey.all.map {
            try insertion(of: $0.select, into: $0, round: "(SELECT round + 1 FROM slice_round)")
        }
        var purchases = try count("slice_purchases")
        while true {
            let former = db.totalChangesCount
            for (key, insertion) in zip(SliceKey.all, insertions) {
                try insertion.execute()
                if key.name == "purchases" { purchases += db.changesCount }
            }
            guard db.totalChangesCount > former else { return true }
            guard purchases <= maximum else { return false }
            try db.execute(sql: "UPDATE slice_round SET round = round + 1")
        }
    }

    private func insertion(of select: String, into key: SliceKey, round: String) throws -> Statement {
        let columns = key.columns.joined(separator: ", ")
        return try db.makeStatement(
            sql:
                "INSERT OR IGNORE INTO \(key.table) (\(columns), round) SELECT \(columns), \(round) FROM (\n\(select)\n)"
        )
    }

    /// Number of subscriptions and lasting purchases in the slice.
    func subscriptions() throws -> Int { try count("slice_originals") }

    private func count(_ table: String) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.\(table)") ?? 0
    }

    /// Deletes the tables with the slice.
    func drop() throws {
        for key in SliceKey.all {
            try db.execute(sql: "DROP VIEW IF EXISTS temp.reached_\(key.name); DROP TABLE IF EXISTS temp.\(key.table)")
        }
        try db.execute(sql: "DROP TABLE IF EXISTS temp.slice_round")
    }
}
