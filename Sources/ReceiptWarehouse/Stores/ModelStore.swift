internal import GRDB
package import MillDatabase
package import MillSystem

/// The models: tables that reports read and that are computed from the other tables.
package struct ModelStore {
    private let warehouse: Warehouse

    init(_ warehouse: Warehouse) { self.warehouse = warehouse }

    /// Computes all models. If the run is cancelled, the former ones are kept.
    ///
    /// - Parameters:
    ///   - record: the run to which new signals are attributed; nil if there is none.
    ///   - isWhole: whether to compute everything again, even if a part would do.
    ///   - onModel: called before each model.
    /// - Returns: the state of the models; nil if the run was cancelled.
    @discardableResult
    package func refresh(
        foundBy record: RunRecord? = nil, isWhole: Bool = false, stop: CancellationFlag = CancellationFlag(),
        onModel: (ModelProgress) -> Void = { _ in }
    ) throws(MillError) -> ModelState? {
        try interrupting(stop) { db in
            try ModelRefresh.run(
                db, foundBy: record?.id, isWhole: isWhole, onModel: onModel,
                isStopped: { stop.isCancelled })
        }
    }

    /// Compares the models with models that are computed from all documents, and replaces rows that differ.
    ///
    /// - Returns: descriptions of the differences; nil if the run was cancelled.
    package func compare(
        stop: CancellationFlag = CancellationFlag(), onModel: (ModelProgress) -> Void = { _ in }
    ) throws(MillError) -> [String]? {
        try interrupting(stop) { db in
            try ModelComparison.run(db, onModel: onModel, isStopped: { stop.isCancelled })
        }
    }

    /// Saves the signals that this run finds. This is done even if the run has changed nothing, since an earlier
    /// command may have changed rows.
    package func saveSightings(foundBy record: RunRecord, stop: CancellationFlag) throws(MillError) {
        try interrupting(stop) { db in
            try db.inTransaction(.immediate) {
                try ModelRefresh.recordSightings(run: record.id, db)
                return .commit
            }
            return ()
        }
    }

    /// Whether the models were computed from the present rows.
    package func areCurrent() throws(MillError) -> Bool {
        try warehouse.access { db in try ModelState(db)?.isCurrent ?? false }
    }

    /// The state of the models; nil if they were never computed.
    package func state() throws(MillError) -> ModelState? { try warehouse.access { db in try ModelState(db) } }

    /// Whether the price list contains any product of the database, as of the last refresh.
    package func priceAnyProduct() throws(MillError) -> Bool {
        try warehouse.value("SELECT EXISTS (SELECT 1 FROM model_listed_prices)") ?? false
    }

    /// - Returns: the result of the work; nil if the run was cancelled.
    private func interrupting<Result>(
        _ stop: CancellationFlag, _ work: (Database) throws -> Result?
    ) throws(MillError) -> Result? {
        do throws(MillError) {
            return try stop.interrupting([warehouse.queue]) { () throws(MillError) in
                do { return try warehouse.queue.writeWithoutTransaction(work) } catch {
                    throw MillError(error, at: .refreshing, path: warehouse.path)
                }
            }
        } catch {
            guard stop.explains(error) else { throw error }
            return nil
        }
    }
}
