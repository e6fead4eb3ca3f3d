internal import GRDB
package import MillDatabase
package import MillSystem

extension LoadDatabase {
    /// Works out all models. A run that is cancelled leaves the former ones.
    ///
    /// - Parameter record: the run that found which signals are new; nil where none did.
    /// - Returns: their state; nil where it was cancelled.
    @discardableResult
    package func refreshModels(
        foundBy record: RunRecord? = nil, stop: CancellationFlag = CancellationFlag()
    ) throws(MillError) -> ModelState? {
        try interrupting(stop) { db in
            try ModelRefresh.run(db, foundBy: record?.id, isStopped: { stop.isCancelled })
        }
    }

    /// Keeps which signals a run found that has changed nothing: a command before it may have.
    package func keepSightings(foundBy record: RunRecord, stop: CancellationFlag) throws(MillError) {
        try interrupting(stop) { db in
            try db.inTransaction(.immediate) {
                try ModelRefresh.recordSightings(run: record.id, db)
                return .commit
            }
            return ()
        }
    }

    /// Whether models are those of what the database holds now.
    package func areModelsCurrent() throws(MillError) -> Bool {
        try access { db in try ModelState(db)?.isCurrent ?? false }
    }

    /// - Returns: nil where the run was cancelled.
    private func interrupting<Result>(
        _ stop: CancellationFlag, _ work: (Database) throws -> Result?
    ) throws(MillError) -> Result? {
        do throws(MillError) {
            return try stop.interrupting([queue]) { () throws(MillError) in
                do { return try queue.writeWithoutTransaction(work) } catch {
                    throw MillError(error, at: .deriving, path: path)
                }
            }
        } catch {
            guard stop.explains(error) else { throw error }
            return nil
        }
    }
}
