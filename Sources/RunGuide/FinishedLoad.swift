/// What a command has done, as far as it decides which command to suggest next.
package struct FinishedLoad: Sendable, Hashable {
    /// The database as named on the command line.
    package var database: String
    /// Arguments that repeat the command; nil if they can't be copied, as with standard input.
    package var again: [String]?
    /// Whether `--app` may be added to the arguments.
    package var takesApps = false
    /// Whether the command was asked to stop before its end.
    package var isStopped = false
    /// The number of rejected lines.
    package var rejected = 0
    /// The number of receipts that were not in the database before.
    package var newReceipts = 0
    /// The number of new receipts that are not trusted.
    package var untrusted = 0
    /// The number of rows from App Store report files.
    package var storeRows = 0

    package init(database: String) { self.database = database }
}
