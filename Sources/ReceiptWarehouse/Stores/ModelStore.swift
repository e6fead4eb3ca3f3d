internal import GRDB
package import MillDatabase
package import MillSystem

/// Models: what reports read, worked out of the other tables.
package struct ModelStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// Works out all models. A run that is cancelled leaves the former ones.
    ///
    /// - Parameter record: the run that found which signals are new; nil where none did.
    /// - Returns: their state; nil where it was cancelled.
    @discardableResult
    package func refresh(
        foundBy record: RunRecord? = nil, stop: CancellationFlag = CancellationFlag()
    ) throws(MillError) -> ModelState? {
        try interrupting(stop) { db in
            try ModelRefresh.run(db, foundBy: record?.id, isStopped: { stop.isCancelled })
        }
    }

    /// Saves which signals a run found that has changed nothing: a command before it may have.
    package func saveSightings(foundBy record: RunRecord, stop: CancellationFlag) throws(MillError) {
        try interrupting(stop) { db in
            try db.inTransaction(.immediate) {
                try ModelRefresh.recordSightings(run: record.id, db)
                return .commit
            }
            return ()
        }
    }

    /// Whether models are those of what the database holds now.
    package func areCurrent() throws(MillError) -> Bool {
        try warehouse.access { db in try ModelState(db)?.isCurrent ?? false }
    }

    /// Whether the models found a product of the database in the price list.
    package func priceAnyProduct() throws(MillError) -> Bool {
        try warehouse.value("SELECT EXISTS (SELECT 1 FROM model_listed_prices)") ?? false
    }

    /// - Returns: nil where the run was cancelled.
    private func interrupting<Result>(
        _ stop: CancellationFlag, _ work: (Database) throws -> Result?
    ) throws(MillError) -> Result? {
        do throws(MillError) {
            return try stop.interrupting([warehouse.queue]) { () throws(MillError) in
                do { return try warehouse.queue.writeWithoutTransaction(work) } catch {
                    throw MillError(error, at: .deriving, path: warehouse.path)
                }
            }
        } catch {
            guard stop.explains(error) else { throw error }
            return nil
        }
    }
}
