internal import Foundation
internal import GRDB
internal import MillBytes
internal import MillDatabase
internal import MillSystem

/// Reads the open refund requests from one state of a database.
struct OpenRequests {
    var requests: [RefundRequest] = []
    /// The number of requests that name no trusted transaction.
    var nameless = 0
    /// The time of the models if rows have changed since then; otherwise nil.
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
                stage: .reporting, path: path, what: "answers read models, and none were refreshed yet",
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
        func rows(_ name: String, _ list: [[Any]]) throws -> [(place: Int, row: Row)] {
            let json = String(decoding: try JSONSerialization.data(withJSONObject: list), as: UTF8.self)
            return try Row.fetchAll(db, sql: Database.sql(ofFile: "answers/\(name).sql"), arguments: [json])
                .compactMap { row in places[row["purchase_id"]].map { ($0, row) } }
        }
        for (place, row) in try rows("accounts", requests.map { [$0.purchase as Any] }) {
            let account = (row["account"] as Data?).map { DocumentText(decoding: Array($0)) }
            requests[place].holder = account.map { .account($0) } ?? .severalAccounts
        }
        let customers = requests.map { request -> [Any] in
            let account: Any = if case .account(let name) = request.holder { name.string } else { NSNull() }
            return [request.purchase, request.appTransaction.map { $0.string as Any } ?? NSNull(), account]
        }
        for (place, row) in try rows("money", customers) {
            requests[place].customer.money.append(
                CustomerEvidence.Money(
                    currency: row["currency"], digits: row["digits"], purchases: row["purchases"],
                    paid: row["paid_milliunits"], refunded: row["refunded_milliunits"]))
            requests[place].customer.refunds += row["refunds"] as Int
            let first: Int64? = row["first_ms"]
            requests[place].customer.firstAt = [requests[place].customer.firstAt, first].compactMap(\.self).min()
        }
        for index in requests.indices { requests[index].excludeItself() }
        for (place, row) in try rows("signals", customers) {
            requests[place].customer.signals.append(
                CustomerEvidence.Signal(name: row["signal"], severity: row["severity"], lines: row["lines"]))
        }
    }
}
