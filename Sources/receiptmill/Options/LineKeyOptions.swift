internal import ArgumentParser
internal import ReceiptVerification

/// The keys that are read in the JSON objects of an archive's lines.
struct LineKeyOptions: ParsableArguments {
    @Option(
        help: help("texts that are meant as documents: one that can't be read is rejected", LineKeys().receipt))
    var receiptKey: [String] = []

    @Option(help: help("the device identifier", LineKeys().device))
    var deviceKey: [String] = []

    @Option(help: help("the account", LineKeys().account))
    var accountKey: [String] = []

    @Option(help: help("the time of submission", LineKeys().time))
    var timeKey: [String] = []

    @Option(
        help: ArgumentHelp(
            "Key whose values are passed over, with all documents in them. Repeatable.", valueName: "key"))
    var ignoreKey: [String] = []

    private static func help(_ what: String, _ usual: [String]) -> ArgumentHelp {
        ArgumentHelp(
            "Key of \(what). Repeatable; before the usual ones: \(usual.joined(separator: ", ")).",
            valueName: "key")
    }

    var resolved: LineKeys {
        var keys = LineKeys()
        apply(to: &keys)
        return keys
    }

    /// Sets the keys that the command line names; the others keep their values.
    func apply(to keys: inout LineKeys) {
        for (option, path) in [
            (receiptKey, \LineKeys.receipt), (deviceKey, \.device), (accountKey, \.account), (timeKey, \.time),
            (ignoreKey, \.ignored),
        ] where !option.isEmpty {
            keys[keyPath: path] = option
        }
    }
}
