internal import MillRun
internal import ReceiptTrust
internal import ReceiptWarehouse
internal import RunGuide
internal import StoreLoading

extension RunSummary {
    /// The summary with the next useful command.
    ///
    /// - Parameters:
    ///   - database: the database's path, which may be relative.
    ///   - takesApps: whether the running command has the option `--app`.
    func advising(of database: String, takesApps: Bool) -> RunSummary {
        var outcome = FinishedLoad(database: database)
        outcome.again = OwnCommand.arguments
        outcome.takesApps = takesApps
        outcome.isStopped = isStopped
        outcome.rejected = openRejections?.count ?? counts.rejectedLines
        outcome.newReceipts = counts.newReceipts
        outcome.untrusted = counts.newReceipts - (counts.verdicts[.trusted] ?? 0)
        outcome.storeRows = reportFiles.rows
        var summary = self
        summary.next = NextCommand.after(outcome, stored)
        return summary
    }
}

/// The command line of the process, for messages that suggest the same command again.
enum OwnCommand {
    /// A longer command line was expanded from a pattern by a shell, and nobody copies it.
    private static let maximumLength = 2_000

    /// Arguments that repeat the command; nil if they can't be copied, as with standard input.
    static var arguments: [String]? {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard !arguments.contains("-"), arguments.reduce(0, { $0 + $1.utf8.count }) <= maximumLength else {
            return nil
        }
        return arguments
    }
}
