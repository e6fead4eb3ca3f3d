internal import ArgumentParser
internal import Foundation
internal import MillSystem

@main
struct ReceiptMill: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receiptmill",
        abstract: "Verify archives of App Store receipts and load them into SQLite.",
        discussion: """
            A first look:
              receiptmill try
              receiptmill ingest archives/*.jsonl.gz --database mill.sqlite
              receiptmill report freemium-migration --database mill.sqlite
            """,
        version: isVerify ? "" : receiptMillVersion,
        groupedSubcommands: [
            CommandGroup(
                name: "Everyday",
                subcommands: [
                    IngestCommand.self, ReportCommand.self, StatusCommand.self, RunCommand.self,
                    VerifyCommand.self,
                ]),
            CommandGroup(
                name: "Load", subcommands: [LoadCommand.self, RetryCommand.self, StoreReportsCommand.self]),
            CommandGroup(
                name: "Look",
                subcommands: [TryCommand.self, InspectCommand.self, DecodeCommand.self, VersionCommand.self]),
            CommandGroup(
                name: "Decide",
                subcommands: [FlagCommand.self, DismissCommand.self, ConsumptionAnswersCommand.self]),
            CommandGroup(
                name: "Care",
                subcommands: [
                    CheckCommand.self, BackupCommand.self, RefreshCommand.self, EraseCommand.self, RetractCommand.self,
                    RegradeCommand.self, RekeyCommand.self, CompactCommand.self, MigrateCommand.self, InitCommand.self,
                ]),
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
        let arguments = HelpText.parsed(Array(CommandLine.arguments.dropFirst()))
        do {
            var command = try parseAsRoot(arguments)
            // Other commands are the parser's, which show help.
            guard configuration.subcommands.contains(where: { $0 == type(of: command) }) else {
                return try command.run()
            }
            try CommandExit.of { try command.run() }
        } catch {
            guard exitCode(for: error) == .validationFailure, let hint = ParsingHint.hint(for: error, arguments) else {
                exit(withError: error)
            }
            Console.draw("\(fullMessage(for: error))\nhint: \(hint)\n")
            Foundation.exit(exitCode(for: error).rawValue)
        }
    }
}
