internal import ArgumentParser
internal import Foundation
internal import ReceiptMint

/// The program `receiptmint`: options to parameters, and the outcome to the terminal.
@main
struct MintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receiptmint",
        abstract: "Make archives of receipts, signed by a throw-away authority, for samples, tests and benchmarks.",
        discussion: """
            Writes into the folder: receipts-001.jsonl.gz and so on; root.pem, the trust anchor; truth.json, what \
            was planted where and what a database has to count; and beside it truth-lines.jsonl, \
            truth-receipts.jsonl and truth-purchases.jsonl, one fact a line.

            With --signed, some lines or all hold what the store signs since StoreKit 2: transactions, renewal \
            infos, app transactions, notifications, and answers of the server interface. root.pem has a second \
            anchor then, and there are truth-signed.jsonl, truth-renewals.jsonl and truth-notifications.jsonl. \
            Other shares than --signed are of the lines of their own sort.

            With --of-2026, some of those are stories of 2026, whose outcome is known and stands in truth.json: \
            subscriptions paid by the month over a commitment, seats and their members, sales by the Advanced \
            Commerce API, purchases outside the store. They begin up to fourteen months before --last-day, as if \
            the store had had all of it by then.

            Equal options give equal bytes, keys included: the authority is worth nothing as security.

            Shares are fractions of the lines, from 0 to 1.
            """)

    @Option(name: .shortAndLong, help: ArgumentHelp("Folder to write into; made if absent.", valueName: "dir"))
    var output: String

    @Option(help: "Lines of all archives together.")
    var count = 1_000

    @Option(help: "Where all randomness starts.")
    var seed: UInt64 = 1

    @Option(help: "Archives to spread the lines over, by time.")
    var archives = 1

    @Option(help: ArgumentHelp("Lines of each gzip member; 0: one member per archive.", valueName: "lines"))
    var members = 0

    @Option(help: "Compression level, 0 to 9.")
    var level: Int32 = 6

    @Option(help: "Digest that receipts are signed with; mixed: SHA-1 before February 2023, SHA-256 since.")
    var digest = DigestChoice.mixed

    @Option(help: share("Share of the lines that hold signed strings of StoreKit 2 in place of receipts, 0 to 1."))
    var signed = 0.0

    @Option(
        help: shares("Share of the lines with receipts that have a defect, such as hash_mismatch=0.02", Defect.self))
    var defect: [NamedShare<Defect>] = []

    @Option(
        help: shares(
            "Share of the lines with signed strings that have a defect, such as foreign_root=0.02", SignedDefect.self))
    var signedDefect: [NamedShare<SignedDefect>] = []

    @Option(help: share("Share without a defect in other forms: other keys, alphabets, escapes, spaces."))
    var oddForms = MintParameters().oddForms

    @Option(
        help: share(
            "Share without a defect that is bare base64 or a JSON string, without context "
                + "(default: \(MintParameters().bareLines))."))
    var bareLines: Double?

    @Option(
        name: .customLong("of-2026"),
        help: share(
            "Share of the lines with signed strings that are what the store signs since 2026: "
                + "commitments, seats, Advanced Commerce and more, all of one app of their own."))
    var of2026 = 0.0

    @Option(
        name: .customLong("share-of-2026"),
        help: shares(
            "Share of the lines with signed strings of one kind of these, such as seats=0.1", Feature2026.self))
    var sharesOf2026: [NamedShare<Feature2026>] = []

    @Option(
        help: ArgumentHelp(
            "Last day of what the store signs since 2026 (default: \(MintParameters().lastDay.iso)).",
            valueName: "day"),
        transform: { text in
            guard let day = StoreDay(text) else { throw ValidationError("a day is written as 2026-10-31") }
            return day
        })
    var lastDay: StoreDay?

    @Flag(
        help: """
            All customers are those of one company with two apps that grows and raises a price, and its log holds \
            pages of purchases. What the store signs since 2026 is of its second app.
            """)
    var company = false

    @Flag(
        help: ArgumentHelp(
            "Beside the archives write store-reports/: the store's SALES, FINANCIAL, FINANCE_DETAIL and subscription "
                + "reports of the signed sales, with planted differences that stand in truth-store.jsonl."))
    var storeReports = false

    @Option(
        help: shares(
            "Share of one class of differences between the store's reports and the archives, such as "
                + "price_changed=0.05", StoreClass.self))
    var storeShare: [NamedShare<StoreClass>] = []

    @Option(
        help: ArgumentHelp(
            "Threads, as many as there are cores unless set; the bytes don't depend on it.", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Replace files that stand in the folder.")
    var force = false

    @Flag(help: "Plant no defect, and give every line its context: all receipts trusted, all devices match.")
    var clean = false

    enum DigestChoice: String, ExpressibleByArgument, CaseIterable {
        case mixed, sha1, sha256
    }

    private static func share(_ what: String) -> ArgumentHelp { ArgumentHelp("\(what)", valueName: "share") }

    private static func shares<Kind: PlantedKind>(_ what: String, _ kinds: Kind.Type) -> ArgumentHelp {
        let names = kinds.allCases.map { kind in
            kind.rawValue + (kind.defaultShare.map { " (default: \($0))" } ?? "")
        }
        return ArgumentHelp("\(what); once for each. " + names.joined(separator: ", ") + ".", valueName: "kind=share")
    }

    static func main() { main(FormerOptions.replaced(in: Array(CommandLine.arguments.dropFirst()))) }

    func validate() throws {
        try check("--count", count, in: 1...MintParameters.maximumCount)
        try check("--archives", archives, in: 1...MintParameters.maximumArchiveCount)
        try check("--level", Int(level), in: 0...9)
        try check("--jobs", jobs, in: 1...Self.maximumJobs)
        try require(members >= 0, "--members can't be negative")
        let shares = [signed, oddForms, bareLines ?? 0, of2026]
        try require(shares.allSatisfy((0...1).contains), "a share is a fraction from 0 to 1, such as 0.01")
        try require(
            MintParameters.lastDays.contains(parameters.lastDay), "--last-day goes from 2026-06-30 to 2027-09-29")
        try validateStoreReports()
        try require(
            !clean || defect.isEmpty && signedDefect.isEmpty && bareLines == nil,
            "--clean plants no defects, so it takes no shares of them")
        let most = MintParameters.maximumShareSum
        try require(
            max(parameters.shareSum, parameters.signedShareSum) <= most,
            "the shares add up to more than \(most): too few ordinary lines are left")
        // The second app of the company has no catalog.
        try require(
            !company || of2026 == 0 && sharesOf2026.isEmpty,
            "--company decides itself how much it has of what the store signs since 2026")
    }

    private func validateStoreReports() throws {
        try require(storeReports || storeShare.isEmpty, "--store-share is of --store-reports")
        guard storeReports else { return }
        try require(signed > 0, "--store-reports needs --signed above 0: receipts state no price")
        try require(
            of2026 == 0 && sharesOf2026.isEmpty,
            "--store-reports can't be minted with what the store signs since 2026")
        for given in storeShare {
            try require(
                given.kind.defaultShare != nil,
                "\(given.kind.rawValue) follows from the customers' histories, and takes no share")
            try require(given.share <= 0.9, "a share of the store's reports goes from 0 to 0.9")
        }
    }

    func run() throws {
        let folder = URL(filePath: output, directoryHint: .isDirectory)
        let isTerminal = isatty(STDERR_FILENO) == 1
        let truth: Truth
        do {
            truth = try MintRun(parameters).run(into: folder, replacing: force) { lines in
                if isTerminal { Self.report("\rminted \(lines) of \(count) lines") }
            }
        } catch let error as MintError {
            Self.report("receiptmint: \(error)\n")
            throw ExitCode(error.exitStatus)
        }
        if isTerminal { Self.report("\r\u{1b}[K") }
        let totals = truth.totals
        let defects = truth.defects.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
        print(
            "\(totals.lines) lines in \(archives == 1 ? "1 archive" : "\(archives) archives"): "
                + "\(totals.receipts) receipts, \(totals.purchases) purchases, \(defects) lines with a defect")
    }

    private static func report(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    private func check(_ option: String, _ value: Int?, in range: ClosedRange<Int>) throws {
        let isRight = value.map(range.contains) ?? true
        try require(isRight, "\(option) goes from \(range.lowerBound) to \(range.upperBound)")
    }

    private func require(_ isRight: Bool, _ message: String) throws {
        if !isRight { throw ValidationError(message) }
    }

    /// More threads than this only cost memory, a few megabytes each.
    private static let maximumJobs = 256

    private var parameters: MintParameters {
        var parameters = MintParameters()
        parameters.seed = seed
        parameters.count = count
        parameters.archives = archives
        parameters.linesPerMember = members
        parameters.level = level
        parameters.digest = Digest(rawValue: digest.rawValue)
        parameters.signed = signed
        parameters.isCompany = company
        if let lastDay { parameters.lastDay = lastDay }
        if of2026 > 0 { parameters.plantAllOf2026(share: of2026) }
        set(sharesOf2026, in: &parameters.shares2026)
        parameters.writesStoreReports = storeReports
        set(storeShare, in: &parameters.storeShares)
        parameters.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        if clean { (parameters.shares, parameters.signedShares, parameters.bareLines) = ([:], [:], 0) }
        set(defect, in: &parameters.shares)
        set(signedDefect, in: &parameters.signedShares)
        parameters.oddForms = oddForms
        if let bareLines { parameters.bareLines = bareLines }
        return parameters
    }

    private func set<Kind: PlantedKind>(_ given: [NamedShare<Kind>], in shares: inout [Kind: Double]) {
        for share in given { shares[share.kind] = share.share }
    }
}

/// `foreign_root=0.02`.
struct NamedShare<Kind: PlantedKind>: ExpressibleByArgument {
    let kind: Kind
    let share: Double

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])),
            let share = Double(parts[1]),
            (0...1).contains(share)
        else { return nil }
        (self.kind, self.share) = (kind, share)
    }
}

extension MintError {
    /// Numbered after sysexits(3), as those of `receiptmill` are.
    fileprivate var exitStatus: Int32 {
        switch self {
        case .cannotWrite, .exists: 73
        case .library: 70
        }
    }
}
