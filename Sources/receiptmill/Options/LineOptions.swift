internal import ArgumentParser
internal import DatabaseCare
internal import MillConfiguration
internal import MillSystem

/// Options for reading the lines of archives, for commands that load archives.
struct LineOptions: ParsableArguments {
    @OptionGroup(title: "Keys of an archive's JSON objects", visibility: .hidden) var keys: LineKeyOptions

    @OptionGroup(title: "Limits", visibility: .hidden) var limits: LimitOptions

    @Option(
        help: .rare(
            "Store names in the place of device and account identifiers, made with this key (HMAC-SHA256), after the "
                + "device check. A database keeps to the key of its first load.",
            valueName: "file"), completion: .file())
    var pseudonymKey: String?

    /// Sets what the command line names; the rest keeps its value.
    func apply(to settings: inout Pipeline) {
        keys.apply(to: &settings.lines)
        limits.apply(to: &settings.limits)
        if let pseudonymKey { settings.pseudonymKey = pseudonymKey }
    }

    /// Refuses outputs that would replace the database or a file which the run reads.
    func checkFiles(_ archives: [String], _ load: LoadOptions, _ settings: Pipeline, metrics: String? = nil) throws {
        let letters = settings.deadLetters?.file
        guard letters == nil || settings.pseudonymKey == nil else {
            let keeper = load.deadLetters.file == nil ? "dead_letters of the pipeline file" : "--dead-letters"
            let hider = pseudonymKey == nil ? "pseudonym_key of the pipeline file" : "--pseudonym-key"
            throw MillError(
                stage: .configuring,
                what: "\(keeper) keeps devices and accounts as they are, which \(hider) is to hide",
                hint: load.pipeline == nil ? "give one of the two" : "leave the option out, or load by another file",
                exitStatus: .usage)
        }
        var files = OutputGuard(database: settings.database)
        if let pipeline = load.pipeline { files.protect(pipeline, as: "the pipeline file") }
        for archive in archives where archive != "-" {
            // A run may load a dead-letter file and then replace it by a file of the lines that are still rejected.
            if archive == letters, DeadLetterFile.lies(at: archive, limits: settings.limits) { continue }
            files.protect(archive, as: "an archive")
        }
        if let key = settings.pseudonymKey { files.protect(key, as: "the key of the pseudonyms") }
        for file in settings.trust.intermediates { files.protect(file, as: "a certificate") }
        if let letters { try files.claim(letters, as: .deadLetters) }
        if let metrics { try files.claim(metrics, as: .metrics) }
    }
}
