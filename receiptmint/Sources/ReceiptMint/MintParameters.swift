/// What to mint. Equal parameters give equal bytes, whatever `jobs` is.
public struct MintParameters: Sendable {
    public var seed: UInt64 = 1
    /// Lines of all archives together.
    public var count = 1_000
    public var archives = 1
    /// Lines of each gzip member; 0 for one member per archive.
    public var linesPerMember = 0
    /// zlib's level, 0 to 9.
    public var level: Int32 = 6
    /// In place of the digest that the store used at the time of the receipt.
    public var digest: Digest?
    /// Of the lines with receipts.
    public var shares = Defect.defaultShares
    /// Share of lines in other forms than the plain one: other keys, alphabets, escapes, spaces.
    public var oddForms = 0.05
    /// Share of lines that are bare base64, or a JSON string, without context.
    public var bareLines = 0.005
    /// Share of the lines that hold strings which the store signed, in place of receipts.
    public var signed = 0.0
    /// Shares of the lines with signed strings.
    public var signedShares = SignedDefect.defaultShares
    /// Shares of the lines with signed strings that are what the store signs since 2026; none unless set.
    public var shares2026: [Feature2026: Double] = [:]
    /// The last day of what is signed since 2026, at Greenwich.
    public var lastDay = StoreDay(2026, 10, 31)
    /// Whether the store's reports are written beside the archives.
    public var writesStoreReports = false
    /// Of differences between these reports and the archives; what each share is of, the class says.
    public var storeShares = StoreClass.defaultShares
    /// Whether all customers are those of one company, in place of those of all apps and countries.
    public var isCompany = false
    /// Threads.
    public var jobs = 1

    public init() {}

    /// Spreads a share of the lines with signed strings over all that the store signs since 2026.
    public mutating func plantAllOf2026(share: Double) {
        shares2026 = Dictionary(uniqueKeysWithValues: Feature2026.allCases.map { ($0, share * $0.plan.weight) })
    }

    /// Last days until which all that the mint plays is within the years that its certificates sign for.
    public static let lastDays = StoreDay(2026, 6, 30)...StoreDay(2027, 9, 29)
    /// Lines that the maximum supply of transaction identifiers lasts for.
    public static let maximumCount = TransactionNumbers.maximumChunkCount * MintedChunk.lines
    /// Each archive keeps a compressor open, at a quarter of a megabyte.
    public static let maximumArchiveCount = 400
    /// Defects and odd forms need ordinary lines around them.
    public static let maximumShareSum = 0.9

    /// Share of the lines that aren't ordinary and plain.
    public var shareSum: Double { shares.values.reduce(0, +) + oddForms + bareLines }

    /// The same of the lines with signed strings.
    public var signedShareSum: Double {
        signedShares.values.reduce(0, +) + shares2026.values.reduce(0, +) + bareLines
    }

    /// A stream of random numbers of its own.
    func random(_ stream: String, _ number: Int = 0) -> SeededRandom {
        SeededRandom(seed: seed, stream: stream, number: UInt64(number))
    }

    /// The midnight that ends the last day.
    var end: CalendarTime { lastDay.advanced(by: 1).midnight }

    /// The apps of which documents are minted.
    var apps: [App] {
        let story = population.storyApp
        let isFurther = holds2026 && !population.apps.contains { $0.bundleID == story.bundleID }
        return population.apps + (isFurther ? [story] : [])
    }

    /// The apps whose documents reach the archive's end.
    var closingApps: [App] { isCompany ? population.apps : [population.storyApp] }

    var population: Population { isCompany ? .company : .broad }

    /// Lines with signed strings, and with receipts.
    var signedCount: Int { Int((Double(count) * signed).rounded()) }
    var receiptCount: Int { count - signedCount }
    var holds2026: Bool { signedCount > 0 && shares2026.values.contains { $0 > 0 } }
}
