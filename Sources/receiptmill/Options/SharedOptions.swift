internal import ArgumentParser

// Help of single options that several commands have. Each command declares the options itself, because an option group
// would cost time in debug builds: ArgumentParser checks a group again for every level above it.

extension ArgumentHelp {
    static let jobs = ArgumentHelp("Workers; as many as there are cores unless set.", valueName: "n")

    static let preflight = rare(
        "Load nothing where disks lack room for what the new archives should need: database, log, and temporary files "
            + "in SQLITE_TMPDIR, else TMPDIR, else /var/tmp. ingest also refuses to load into a database without "
            + "documents if most of the first lines are rejected, or if most documents lead to one root that is no anchor."
    )

    static let loadedDatabase = ArgumentHelp("The database that receiptmill ingest wrote.", valueName: "file")
    static let json = ArgumentHelp("The same as --format json.")
    static let refresh = ArgumentHelp(
        "Refresh the models at the end. With --no-refresh, reports read the former models until receiptmill refresh runs."
    )

    /// The help of `--refresh` for commands that change names in the models, after which the old models can't be kept.
    static let refreshOfNames = ArgumentHelp(
        "Refresh the models at the end. With --no-refresh, there are none until receiptmill refresh runs."
    )

    static let wait = rare(
        "Wait while another run, or a lock of another program, holds the database, so long at most: 30s, 10m, 2h.",
        valueName: "time")
}

/// `--jobs 4`: the number of workers that verify lines.
enum Workers {
    /// More workers than any machine has cores would only use memory.
    private static let range = 1...1024

    @Sendable static func count(_ argument: String) throws -> Int {
        guard let count = Int(argument), range.contains(count) else {
            throw ValidationError("--jobs goes from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }
}

/// `--wait 10m`: the maximum time that a run waits for another run.
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

extension ParsableArguments {
    /// - Throws: `ValidationError` for a value out of range.
    func check(_ option: String, _ value: Int?, in range: ClosedRange<Int>) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError("\(option) goes from \(range.lowerBound) to \(range.upperBound)")
    }

    /// - Throws: `ValidationError` if standard input is named twice.
    func checkInputs(_ inputs: [String]) throws {
        guard inputs.count(where: { $0 == "-" }) < 2 else { throw ValidationError("- can be read once") }
    }
}
