internal import Foundation
internal import GRDB
internal import MillBytes
internal import MillDatabase
internal import MillSystem

/// Reads the open requests of a database, all in one state of the database.
struct OpenRequests {
    var requests: [RefundRequest] = []
    /// Requests that name no transaction which is trusted.
    var nameless = 0
    /// The time of the models, where rows have changed since.
    var staleSince: Int64?

    init(database path: String, check: (Database) throws -> Void) throws {
        let database = try ReadOnlyDatabase(path: path)
        let found = try ReadOnlyDatabase.explaining(path: path) {
            try database.queue.inDatabase { db in
                try db.beginTransaction(.deferred)
                defer { try? db.rollback() }
                try check(db)
                return try Self.read(db, path)
            }
        }
        self = found
    }

    private init() {}

    private static func read(_ db: Database, _ path: String) throws -> OpenRequests {
        guard let state = try ModelState(db) else {
            throw MillError(
                stage: .reporting, path: path, what: "answers read models, and none were worked out yet",
                hint: "receiptmill refresh --database \(path)", exitStatus: .badData)
        }
        var found = OpenRequests()
        if !state.isCurrent { found.staleSince = state.refreshedAt }
        let rows = try Row.fetchAll(db, sql: Database.sql(ofFile: "answers/open_requests.sql"))
        found.requests = rows.compactMap(RefundRequest.init)
        found.nameless = rows.count - found.requests.count
        try found.addEvidence(db)
        return found
    }

    private mutating func addEvidence(_ db: Database) throws {
        let places = Dictionary(requests.enumerated().map { ($1.purchase, $0) }) { first, _ in first }
        let list = "[" + requests.map { String($0.purchase) }.joined(separator: ",") + "]"
        func rows(_ name: String) throws -> [Row] {
            try Row.fetchAll(db, sql: Database.sql(ofFile: "answers/\(name).sql"), arguments: [list])
        }
        for row in try rows("accounts") {
            if let place = places[row["purchase_id"]] {
                requests[place].accounts.append(DocumentText(row["account_id"] as String))
            }
        }
        for row in try rows("money") {
            guard let place = places[row["purchase_id"]] else { continue }
            requests[place].customer.money.append(
                CustomerEvidence.Money(
                    currency: row["currency"], digits: row["digits"], purchases: row["purchases"],
                    paid: row["paid_milliunits"], refunded: row["refunded_milliunits"]))
            requests[place].customer.refunds += row["refunds"] as Int
            requests[place].customer.firstAt = row["first_ms"]
        }
        for row in try rows("signals") {
            guard let place = places[row["purchase_id"]] else { continue }
            requests[place].customer.signals.append(
                CustomerEvidence.Signal(name: row["signal"], severity: row["severity"], lines: row["lines"]))
        }
    }
}
