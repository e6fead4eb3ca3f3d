internal import ArgumentParser
internal import Foundation
internal import MillRun
internal import MillSystem

@main
struct ReceiptMill: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receiptmill",
        abstract: "Verify archives of App Store receipts and load them into SQLite.",
        discussion: """
            A first look:
              receiptmill ingest archives/*.jsonl.gz --database mill.sqlite
              receiptmill report freemium-migration --database mill.sqlite
            """,
        version: isVerify ? "" : receiptMillVersion,
        subcommands: [
            IngestCommand.self, RunCommand.self, StatusCommand.self, InspectCommand.self, VerifyCommand.self,
            DecodeCommand.self,
            LoadCommand.self, StoreReportsCommand.self, RefreshCommand.self, ReportCommand.self,
            ConsumptionAnswersCommand.self, CheckCommand.self, BackupCommand.self,
            InitCommand.self, MigrateCommand.self, RetryCommand.self, DismissCommand.self, FlagCommand.self,
            EraseCommand.self, RetractCommand.self, CompactCommand.self, RegradeCommand.self, RekeyCommand.self,
            VersionCommand.self,
        ])

    /// Whether the command is `verify`, which has an option `--version` of its own, the version of the app.
    /// ArgumentParser would offer the program's `--version` to every command.
    private static let isVerify = CommandLine.arguments.dropFirst().contains("verify")

    static func main() {
        KeptMemory.set()
        // A file that reaches a limit of its size (ulimit -f) then makes write(2) fail, and the error is reported; by
        // default the signal would end the process.
        signal(SIGXFSZ, SIG_IGN)
        do throws(MillError) {
            try OpenFileLimit.check()
        } catch {
            Console.complain(error.description)
            Foundation.exit(error.exitStatus.rawValue)
        }
        if let script = CompletionScript.requested(by: Array(CommandLine.arguments.dropFirst())) {
            try? Console.write(script)
            return
        }
        main(nil)
    }
}
