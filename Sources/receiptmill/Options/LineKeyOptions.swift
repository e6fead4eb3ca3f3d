internal import ArgumentParser
internal import MillConfiguration
internal import MillSystem

/// The keys of an archive's JSON objects.
struct LineKeyOptions: ParsableArguments {
    @Option(help: help("the receipt", LineKeys().receipt))
    var receiptKey: [String] = []

    @Option(help: help("the device identifier", LineKeys().device))
    var deviceKey: [String] = []

    @Option(help: help("the account", LineKeys().account))
    var accountKey: [String] = []

    @Option(help: help("the time of submission", LineKeys().time))
    var timeKey: [String] = []

    private static func help(_ what: String, _ defaults: [String]) -> ArgumentHelp {
        ArgumentHelp(
            "Key of \(what), instead of \(defaults.joined(separator: ", ")). Repeatable; the first found wins.",
            valueName: "key")
    }

    var resolved: LineKeys {
        var keys = LineKeys()
        if !receiptKey.isEmpty { keys.receipt = receiptKey }
        if !deviceKey.isEmpty { keys.device = deviceKey }
        if !accountKey.isEmpty { keys.account = accountKey }
        if !timeKey.isEmpty { keys.time = timeKey }
        return keys
    }
}
