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

    @Option(
        help: ArgumentHelp(
            "Share of the lines that hold signed strings of StoreKit 2 in place of receipts, 0 to 1.",
            valueName: "share"))
    var signed = 0.0

    @Option(
        help: ArgumentHelp(
            "Share of the lines with signed strings that have a defect, such as foreign_root=0.02; once for each. "
                + SignedDefect.allCases.map { "\($0.rawValue) (default: \($0.defaultShare))" }
                .joined(separator: ", ") + ".",
            valueName: "defect=share"))
    var signedDefect: [NamedShare<SignedDefect>] = []

    @Option(
        name: .customLong("of-2026"),
        help: ArgumentHelp(
            "Share of the lines with signed strings that are what the store signs since 2026: "
                + "commitments, seats, Advanced Commerce and more, all of one app of their own.",
            valueName: "share"))
    var of2026 = 0.0

    @Option(
        name: .customLong("share-of-2026"),
        help: ArgumentHelp(
            "Share of the lines with signed strings of one kind of these, such as seats=0.1; once for each. "
                + Feature2026.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "kind=share"))
    var sharesOf2026: [NamedShare<Feature2026>] = []

    @Option(
        help: ArgumentHelp(
            "Last day of what the store signs since 2026 (default: \(MintDay.standard.text)).", valueName: "day"),
        transform: { text in
            guard let day = MintDay(text) else { throw ValidationError("a day is written as 2026-10-31") }
            return day
        })
    var lastDay: MintDay?

    @Flag(
        help: "All customers are those of one company with two apps that grows, and its log holds pages of purchases.")
    var company = false

    @Flag(
        help: ArgumentHelp(
            "Beside the archives write store-reports/: the store's SALES, FINANCIAL, FINANCE_DETAIL and subscription "
                + "reports of the signed sales, with planted differences that stand in truth-store.jsonl.",
            visibility: .default))
    var storeReports = false

    @Option(
        help: ArgumentHelp(
            "Share of the sales in the store's reports that no line of the archives holds (default: 0.1).",
            valueName: "share"))
    var lacking: Double?

    @Option(
        help: ArgumentHelp(
            "Share of one class of differences between the store's reports and the archives, such as "
                + "price_changed=0.05; once for each. "
                + StoreClass.allCases.compactMap { kind in kind.defaultShare.map { "\(kind.rawValue) (default: \($0))" }
                }
                .joined(separator: ", ") + ".",
            valueName: "class=share"))
    var storeShare: [NamedShare<StoreClass>] = []

    @Option(
        help: ArgumentHelp(
            "Threads, as many as there are cores unless set; the bytes don't depend on it.", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Replace files that stand in the folder.")
    var force = false

    @Flag(help: "Plant no defect, and give every line its context: all receipts trusted, all devices match.")
    var clean = false

    @OptionGroup(title: "Shares of lines with a defect")
    var shares: ShareOptions

    enum DigestChoice: String, ExpressibleByArgument, CaseIterable {
        case mixed, sha1, sha256
    }

    /// `foreign_root=0.02`.
    struct NamedShare<Kind: RawRepresentable<String>>: ExpressibleByArgument {
        let kind: Kind
        let share: Double

        init?(argument: String) {
            let parts = argument.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let share = Double(parts[1]),
                (0...1).contains(share)
            else { return nil }
            (self.kind, self.share) = (kind, share)
        }
    }

    func validate() throws {
        try check("--count", count, in: 1...MintParameters.maximumCount)
        try check("--archives", archives, in: 1...MintParameters.maximumArchiveCount)
        guard members >= 0 else { throw ValidationError("--members can't be negative") }
        try check("--level", Int(level), in: 0...9)
        try check("--jobs", jobs, in: 1...Self.maximumJobs)
        let given = shares.given
        guard given.allSatisfy({ (0...1).contains($0) }) else {
            throw ValidationError("a share is a fraction from 0 to 1, such as 0.01")
        }
        guard (0...1).contains(signed) else { throw ValidationError("--signed is a fraction from 0 to 1") }
        guard (0...1).contains(of2026) else { throw ValidationError("--of-2026 is a fraction from 0 to 1") }
        guard (lastDay ?? .standard).isWithinReach else {
            throw ValidationError("--last-day goes from 2026-06-30 to 2027-09-29")
        }
        try validateStoreReports()
        if clean, !given.isEmpty || !signedDefect.isEmpty {
            throw ValidationError("--clean plants no defects, so it takes no shares of them")
        }
        guard parameters.shareSum <= MintParameters.maximumShareSum,
            parameters.signedShareSum <= MintParameters.maximumShareSum
        else {
            throw ValidationError(
                "the shares add up to more than \(MintParameters.maximumShareSum): too few ordinary lines are left")
        }
    }

    private func validateStoreReports() throws {
        guard storeReports else {
            guard lacking == nil, storeShare.isEmpty else {
                throw ValidationError("--lacking and --store-share are of --store-reports")
            }
            return
        }
        guard signed > 0 else {
            throw ValidationError("--store-reports needs --signed above 0: receipts state no price")
        }
        guard of2026 == 0, sharesOf2026.isEmpty else {
            throw ValidationError("--store-reports can't be minted with what the store signs since 2026")
        }
        guard ([lacking].compactMap(\.self) + storeShare.map(\.share)).allSatisfy({ (0...0.9).contains($0) }) else {
            throw ValidationError("a share of the store's reports goes from 0 to 0.9")
        }
        for given in storeShare where given.kind.defaultShare == nil {
            throw ValidationError("\(given.kind.rawValue) follows from the customers' histories, and takes no share")
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
        guard let value, !range.contains(value) else { return }
        throw ValidationError("\(option) goes from \(range.lowerBound) to \(range.upperBound)")
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
        parameters.lastDay = lastDay ?? .standard
        if of2026 > 0 { parameters.plantAllOf2026(share: of2026) }
        for given in sharesOf2026 { parameters.shares2026[given.kind] = given.share }
        parameters.writesStoreReports = storeReports
        if let lacking { parameters.storeShares[.notInArchive] = lacking }
        for given in storeShare { parameters.storeShares[given.kind] = given.share }
        parameters.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        if clean {
            parameters.shares = [:]
            parameters.signedShares = [:]
            parameters.bareLines = 0
        } else {
            shares.apply(to: &parameters)
            for given in signedDefect { parameters.signedShares[given.kind] = given.share }
        }
        return parameters
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
