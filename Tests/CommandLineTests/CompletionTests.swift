internal import Foundation
internal import TestSupport
internal import Testing

/// What shells offer behind the tab key.
@Suite struct CompletionTests {
    /// What the program offers for the last word, of which the shell says how much is typed.
    private func offered(_ place: String, _ words: String...) throws -> [String] {
        let request = [
            "---completion", "report", "--", place, "\(words.count + 1)", "\(words.last?.count ?? 0)", "receiptmill",
            "report",
        ]
        let result = try Mill.run(request + words)
        #expect(result.status == 0, "\(result)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("Values are offered once a parameter's name stands there")
    func values() throws {
        #expect(
            try offered("--param", "refunds", "--param", "from=")
                == [
                    "environment=", "bundle=", "from=this-month", "from=last-month", "from=last-12-months", "from=all",
                    "until=", "into_currency=", "by=app", "by=product", "by=storefront", "by=version", "by=reason",
                    "by=delay",
                ])
        #expect(
            try offered("--param", "recurring-revenue", "--param", "proceeds=").suffix(2) == [
                "proceeds=0", "proceeds=1",
            ])
        #expect(try offered("--param", "renewals-due", "--param", "days=").contains("days=30"))
        // An alias is a name, too.
        #expect(try offered("--param", "mrr", "--param", "").contains("proceeds="))
        #expect(try offered("positional@0", "").contains("mrr"))
        // Without a report nothing is known of its parameters.
        #expect(try offered("--param", "nothing", "--param", "").isEmpty)
    }

    @Test("Columns are offered behind those that were chosen")
    func columns() throws {
        let columns = try offered("--columns", "archive-loads", "--columns", "archive,")
        #expect(columns.contains("archive,lines") && !columns.contains("archive,archive") && !columns.contains("all"))
        #expect(try offered("--columns", "archive-loads", "--columns", "").first == "all")
    }

    @Test("Every value that is offered is one that the report takes")
    func taken() throws {
        let workdir = try Workdir()
        try Samples.copyDatabase(into: workdir)
        for report in ["refunds", "fraud-signals"] {
            let names = try offered("--param", report, "--param", "").compactMap { $0.split(separator: "=").first }
            for name in Set(names) {
                for setting in try offered("--param", report, "--param", "\(name)=")
                where setting.hasPrefix("\(name)=") && !setting.hasSuffix("=") {
                    let arguments = ["report", report, "--database", workdir.path("mill.sqlite"), "--param", setting]
                    // A conversion needs rates, which is another fault than a value that is none.
                    let result = try Mill.run(arguments + ["--format", "csv"])
                    #expect(result.status == 0 || setting.hasPrefix("into_currency="), "\(setting): \(result.errors)")
                }
            }
        }
    }

    @Test("A person's tab key completes values behind = in bash, zsh and fish", arguments: ["bash", "zsh", "fish"])
    func shells(shell: String) throws {
        // A machine may lack a shell; bash is on all that build.
        guard Command.find(shell) != nil, Command.find("python3") != nil else { return }
        let tab = Repository.file("Tests/Completions/tab.py").path
        let lines = [
            "receiptmill report fraud-qu", "fraud-queue ",
            "receiptmill report refunds by=ap", "by=app ",
            "receiptmill report refunds bun", "bundle=",
            "receiptmill report refunds --param by=ap", "by=app ",
            "receiptmill report refunds --param bun", "bundle=",
            "receiptmill report refunds --param environment=P", "environment=Production ",
            "receiptmill report refunds --param from=this", "from=this-month ",
        ]
        let result = try Command("python3", [tab, Mill.binary.path, shell] + lines).run()
        #expect(result.status == 0, "\(result)")
    }
}
