internal import GRDB
package import MillDatabase
package import MillSystem

extension LoadDatabase {
    /// Works out all models. A run that is cancelled leaves the former ones.
    ///
    /// - Returns: their state; nil where it was cancelled.
    @discardableResult
    package func refreshModels(stop: CancellationFlag = CancellationFlag()) throws(MillError) -> ModelState? {
        do throws(MillError) {
            return try stop.interrupting([queue]) { () throws(MillError) in
                do {
                    return try queue.writeWithoutTransaction { db in
                        try ModelRefresh.run(db) { stop.isCancelled }
                    }
                } catch {
                    throw MillError(error, at: .deriving, path: path)
                }
            }
        } catch {
            guard stop.explains(error) else { throw error }
            return nil
        }
    }

    /// Whether models are those of what the database holds now.
    package func areModelsCurrent() throws(MillError) -> Bool {
        try access { db in try ModelState(db)?.isCurrent ?? false }
    }
}
