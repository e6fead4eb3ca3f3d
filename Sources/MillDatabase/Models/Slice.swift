internal import GRDB
internal import ReceiptSQL

/// The part of the models that a refresh computes again: everything connected to what was loaded since the last
/// refresh. Things that are connected to each other are in one slice, so that rows within it depend on no row outside
/// it.
///
/// A first set is found by `sql/slices/new`, and then extended by ``SliceKey``s, round by round, until nothing more is
/// found.
struct Slice {
    private let db: Database
    /// For slices with more than this share of all transactions, computing everything is faster.
    static let maximumShare = 0.25
    /// The maximum number of transactions in a sample: even a few may be connected to nearly all others.
    private static let maximumSample = 50_000

    init(_ db: Database) { self.db = db }

    /// Finds what was loaded since the last refresh, and everything connected to it.
    ///
    /// - Parameter share: the maximum share of all transactions.
    /// - Returns: whether the slice is small enough to be computed separately.
    func findNew(upTo share: Double) throws -> Bool {
        // Counting rows would need a scan, and few numbers belong to deleted purchases.
        let purchases = try Int.fetchOne(db, sql: "SELECT max(purchase_id) FROM purchase") ?? 0
        return try find(
            SQLFile.files(in: "slices/new").map { ($0.name, $0.text) },
            upTo: Int(Double(purchases) * share))
    }

    /// Finds everything connected to some random transactions.
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

    /// Finds what the given SELECTs return, each named as the ``SliceKey`` of its columns, and everything connected to
    /// it.
    ///
    /// - Returns: whether the slice has no more than `maximum` transactions.
    private func find(_ selects: [(key: String, select: String)], upTo maximum: Int) throws -> Bool {
        try db.execute(
            sql: "CREATE TEMP TABLE slice_round (round INTEGER NOT NULL); INSERT INTO slice_round VALUES (0)")
        for key in SliceKey.all { try db.execute(sql: key.definition) }
        for (name, select) in selects {
            guard let key = SliceKey.all.first(where: { $0.name == name }) else { continue }
            try insertion(of: select, into: key, round: "0").execute()
        }
        // Long chains of accounts and documents take a round for each link, so each round has to be cheap.
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
