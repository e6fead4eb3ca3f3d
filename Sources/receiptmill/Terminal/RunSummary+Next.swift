internal import Foundation
internal import MillRun
internal import ReceiptTrust
internal import ReceiptWarehouse
internal import RunGuide
internal import StoreLoading

extension RunSummary {
    /// The summary with the command that is useful next.
    ///
    /// - Parameters:
    ///   - database: the database's path, which may be relative.
    ///   - takesApps: whether the command at work has the option `--app`.
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

/// The command line of the process, for messages that ask for the same again.
enum OwnCommand {
    /// More characters than these are a list that a shell made of a pattern, and nobody copies them.
    private static let maximumLength = 2_000

    /// Arguments with which the same work can be asked for again; nil if that can't be copied, as with standard
    /// input.
    static var arguments: [String]? {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard !arguments.contains("-"), arguments.reduce(0, { $0 + $1.utf8.count }) <= maximumLength else {
            return nil
        }
        return arguments
    }
}
