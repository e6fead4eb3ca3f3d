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
            IngestCommand.self, RunCommand.self, InspectCommand.self, VerifyCommand.self, DecodeCommand.self,
            LoadCommand.self, RefreshCommand.self, ReportCommand.self, CheckCommand.self, BackupCommand.self,
            InitCommand.self, MigrateCommand.self, RetryCommand.self, DismissCommand.self, FlagCommand.self,
            EraseCommand.self, RetractCommand.self, CompactCommand.self, RegradeCommand.self, RekeyCommand.self,
            VersionCommand.self,
        ])

    /// ArgumentParser offers its own `--version` to every command, and `verify` has
    /// an option of that name: the version of the app.
    private static let isVerify = CommandLine.arguments.dropFirst().contains("verify")

    static func main() {
        KeptMemory.set()
        // A file that reaches a limit of its size (ulimit -f) is then an error of
        // write(2), which is reported, and not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        do throws(MillError) {
            try OpenFileLimit.check()
        } catch {
            Console.complain(error.description)
            Foundation.exit(error.exitStatus.rawValue)
        }
        main(nil)
    }
}
