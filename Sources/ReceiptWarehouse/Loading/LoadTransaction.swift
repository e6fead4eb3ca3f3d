internal import GRDB
internal import MillDatabase
internal import MillSystem

/// The loader's transaction, which is open from the first row of a window to the window's commit.
final class LoadTransaction {
    private let database: Warehouse
    private var isOpen = false
    private var hasNotedChange = false

    init(_ database: Warehouse) {
        self.database = database
    }

    /// Does work within the transaction, which is begun if none is open.
    func write(_ work: (Database) throws -> Void) throws(MillError) {
        try database.access { db in
            if !isOpen {
                try db.execute(sql: "BEGIN IMMEDIATE")
                isOpen = true
            }
            try work(db)
        }
    }

    /// Does work that invalidates the models, because it changes their sources.
    ///
    /// - Parameter reason: why the models have to be computed from all rows; nil if rows are only added.
    func change(wholeBecause reason: WholeRefresh? = nil, _ work: (Database) throws -> Void) throws(MillError) {
        try write { db in
            if let reason {
                try ModelState.noteChange(reason, db)
            } else if !hasNotedChange {
                try ModelState.noteAddition(db)
            }
            hasNotedChange = true
            try work(db)
        }
    }

    /// Does the last work of the transaction and commits it.
    ///
    /// - Returns: whether a transaction was open; otherwise nothing is done.
    func commit(_ work: (Database) throws -> Void) throws(MillError) -> Bool {
        guard isOpen else { return false }
        try database.access { db in
            try work(db)
            try db.execute(sql: "COMMIT")
        }
        (isOpen, hasNotedChange) = (false, false)
        return true
    }

    /// Rolls back the rows since the last commit, unless SQLite has already done so.
    func rollBack() throws(MillError) {
        (isOpen, hasNotedChange) = (false, false)
        try database.access { db in
            if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
        }
    }
}
