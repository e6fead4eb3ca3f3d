internal import ArgumentParser
internal import DatabaseCare
internal import MillConfiguration
internal import ReceiptTrust

/// `receiptmill rekey`: replaces the stored pseudonyms by pseudonyms of another key.
struct RekeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "rekey", "Rotate the pseudonym key of a database.",
        usage: "receiptmill rekey --pseudonym-key <file> --to <file> --database <file>",
        examples: """
            (cat key; echo ---; openssl rand -hex 32) > key.new
            receiptmill rekey --pseudonym-key key --to key.new --database mill.sqlite
            mv key.new key
            """,
        details: """
            A key file may hold several keys, the oldest first, with a line of three hyphens between two:

              6d1f0e2c9a7b4835c0de…
              ---
              f39a5b7e1d2c48609b1a…

            A name under the first key is \
            named by the next, and so on: so names change without the identifiers, which the database does not hold, \
            and whoever was one owner stays one in every count, also with lines that are loaded later. The \
            former keys are still needed for those, but tell nothing by themselves: a key that became known is \
            worthless once a further one is in use.

            The file is written anew, so that no page holds a former name. Digests of erased presentations are of \
            former names, and go: erase a person again where an archive with its lines is loaded again. Backups, lakes, \
            decoded lines and other databases keep the former names until this is done there, or they are made anew.

            Exit status: 0 done; 64 the new key file does not begin with the former keys; 66 there is no such database; 74 the \
            disk has no room; 75 a run or a reader is at work; 78 the key is not the database's. Cut short, the \
            same command again goes on: names may be replaced, and the file not yet be written anew.
            """)

    @Option(
        help: ArgumentHelp("The key by which the database names persons now.", valueName: "file"), completion: .file())
    var pseudonymKey: String

    @Option(help: ArgumentHelp("The same keys and a further one.", valueName: "file"), completion: .file())
    var to: String

    @Flag(inversion: .prefixedNo, help: .refreshOfNames)
    var refresh = true

    @OptionGroup var target: NamedDatabaseOptions

    func run() throws {
        let database = target.database
        var rekeying = Rekeying(
            database, from: try Pseudonyms(keyFile: pseudonymKey), to: try Pseudonyms(keyFile: to))
        rekeying.refreshes = refresh
        let summary = try rekeying.run()
        guard !target.quiet else { return }
        try Console.write("\(Console.count(summary.names, "name")) replaced\n")
        guard summary.forgottenErasures > 0 else { return }
        try Console.write(
            "\(Console.count(summary.forgottenErasures, "erased presentation")) forgotten: erase these persons again "
                + "where an archive with their lines is loaded again\n")
    }
}
