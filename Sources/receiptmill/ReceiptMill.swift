internal import ArgumentParser

@main
struct ReceiptMill: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receiptmill",
        subcommands: [
            ReportCommand.self
        ])
}
