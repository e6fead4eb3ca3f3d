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
            Ingest.self, Run.self, Inspect.self, Verify.self, Decode.self, Load.self, Refresh.self, ReportCommand.self,
            Check.self, Backup.self, Init.self, Migrate.self, Retry.self, Dismiss.self, FlagCommand.self, Erase.self,
            Retract.self,
            Compact.self, Regrade.self, Rekey.self, VersionCommand.self,
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
