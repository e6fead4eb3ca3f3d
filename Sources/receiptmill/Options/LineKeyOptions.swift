internal import ArgumentParser
internal import MillSystem
internal import ReceiptVerification

/// The keys of an archive's JSON objects.
struct LineKeyOptions: ParsableArguments {
    @Option(help: help("the receipt"))
    var receiptKey = LineKeys().receipt

    @Option(help: help("the device identifier"))
    var deviceKey = LineKeys().device

    @Option(help: help("the account"))
    var accountKey = LineKeys().account

    @Option(help: help("the time of submission"))
    var timeKey = LineKeys().time

    private static func help(_ what: String) -> ArgumentHelp {
        ArgumentHelp("Key of \(what). Repeatable; the first found wins.", valueName: "key")
    }

    var resolved: LineKeys {
        var keys = LineKeys()
        (keys.receipt, keys.device, keys.account, keys.time) = (receiptKey, deviceKey, accountKey, timeKey)
        return keys
    }
}
