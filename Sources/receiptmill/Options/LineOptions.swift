internal import DatabaseCare
internal import ArgumentParser
internal import MillConfiguration
internal import MillRun
internal import MillSystem
internal import ReceiptArchive
internal import ReceiptTrust
internal import ReceiptWarehouse

/// Options on reading the lines of archives, for commands that load archives.
struct LineOptions: ParsableArguments {
    @OptionGroup(title: "Keys of an archive's JSON objects") var keys: LineKeyOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    @Option(
        help: ArgumentHelp(
            "Store names in the place of device and account identifiers, made with this key (HMAC-SHA256), after the "
                + "device check. A database keeps to the key of its first load.",
            valueName: "file"))
    var pseudonymKey: String?

    /// - Throws: ``MillError`` where the pseudonym key can't be read.
    func apply(to configuration: inout LoadConfiguration) throws {
        configuration.keys = keys.resolved
        configuration.limits = limits.resolved
        configuration.pseudonyms = try pseudonymKey.map(Pseudonyms.init(keyFile:))
    }

    /// Refuses outputs that would replace the database or a file which the run reads.
    func checkFiles(_ archives: [String], _ load: LoadOptions, metrics: String? = nil) throws {
        let letters = load.deadLetters.file
        guard letters == nil || pseudonymKey == nil else {
            throw MillError(
                stage: .configuring,
                what: "--dead-letters keeps devices and accounts as they are, which --pseudonym-key is to hide",
                hint: "give one of the two", exitStatus: .usage)
        }
        var files = OutputGuard(database: load.database)
        for archive in archives where archive != "-" {
            // A run may load a dead-letter file and then replace the file by the letters that stay open.
            if archive == letters, DeadLetterFile.lies(at: archive, limits: limits.resolved) { continue }
            files.protect(archive, as: "an archive")
        }
        if let pseudonymKey { files.protect(pseudonymKey, as: "the key of the pseudonyms") }
        for file in load.trust.intermediates { files.protect(file, as: "a certificate") }
        if let letters { try files.claim(letters, as: .deadLetters) }
        if let metrics { try files.claim(metrics, as: .metrics) }
    }
}
