internal import GRDB
internal import MillDatabase
package import MillSystem

extension LoadDatabase {
    /// Works out the facts again that were let go of, and which signals are new. A run that is
    /// cancelled leaves the rest to the next; until then views work out their rows for each who asks.
    ///
    /// - Parameter record: the run that found what is new; nil where none did.
    /// - Returns: CPU seconds that it took.
    @discardableResult
    package func keepFacts(
        foundBy record: RunRecord? = nil, stop: CancellationFlag = CancellationFlag()
    ) throws(MillError) -> Double {
        let start = ThreadClock.seconds
        do throws(MillError) {
            try stop.interrupting([queue]) { () throws(MillError) in
                try access { db in
                    try Facts.keep(db) { stop.isCancelled }
                    // Also what was found without a run, as regrade does.
                    guard let record, !stop.isCancelled else { return }
                    try db.inTransaction(.immediate) {
                        try Self.recordSightings(run: record.id, db)
                        return .commit
                    }
                }
            }
        } catch {
            guard stop.explains(error) else { throw error }
        }
        return ThreadClock.seconds - start
    }

    /// Changes what a user has set, and lets go of the facts if that makes a difference.
    func changeSettings(_ tables: [String], _ change: (Database) throws -> Void) throws(MillError) {
        try access { db in
            let stored = { try tables.map { try Row.fetchAll(db, sql: "SELECT * FROM \($0) ORDER BY 1, 2") } }
            try db.inTransaction(.immediate) {
                let former = try stored()
                try change(db)
                if try stored() != former {
                    try Facts.release(db)
                    try ModelState.noteChange(db)
                }
                return .commit
            }
        }
    }
}
