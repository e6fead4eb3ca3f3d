/// What a command has done, as far as the command that comes next depends on it.
package struct FinishedLoad: Sendable, Hashable {
    /// The database as the command names it.
    package var database: String
    /// Arguments with which the same work can be asked for again; nil if that can't be copied, as with standard input.
    package var again: [String]?
    /// Whether `--app` may be added to the arguments.
    package var takesApps = false
    /// Whether the command was asked to stop before its end.
    package var isStopped = false
    /// Rejected lines.
    package var rejected = 0
    /// Receipts that the database did not hold before.
    package var newReceipts = 0
    /// Of the new receipts, those that are not trusted.
    package var untrusted = 0
    /// Rows of the store's own report files.
    package var storeRows = 0

    package init(database: String) { self.database = database }
}
