internal import ArgumentParser

/// `--wait 10m`: how long another run is waited for.
struct WaitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Wait while another run holds the database, so long at most: 30s, 10m, 2h.", valueName: "time"))
    var wait: WaitingTime?

    var limit: Duration? { wait?.duration }
}

struct WaitingTime: ExpressibleByArgument {
    let duration: Duration

    private static let seconds = ["s": 1, "m": 60, "h": 3600]

    init?(argument: String) {
        guard let unit = argument.last.flatMap({ Self.seconds[String($0)] }), let number = Int(argument.dropLast()),
            (1...100_000).contains(number)
        else { return nil }
        duration = .seconds(number * unit)
    }
}
