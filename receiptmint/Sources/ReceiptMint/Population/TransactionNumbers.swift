/// Hands out transaction identifiers, each only once in all archives of a seed.
///
/// Production identifiers have 15 digits and roughly grow with time; sandbox
/// ones begin with 1000000 or, later, 2000000.
struct TransactionNumbers: Sendable {
    /// Maximum number of identifiers of one chunk; chunks of `MintedChunk.lines`
    /// lines stay far below.
    private static let perChunk: Int64 = 1 << 18
    /// Sandbox customers buy six things at most, forgers add one.
    private static let sandboxPerChunk: Int64 = 1 << 12
    /// Chunks after which identifiers would repeat.
    static let maximumChunkCount = 200_000

    private var production: Int64
    private var sandbox: Int64

    init(chunk: Int) {
        production = Int64(chunk) * Self.perChunk
        sandbox = Int64(chunk) * Self.sandboxPerChunk
    }

    mutating func next(at time: CalendarTime, sandbox isSandbox: Bool) -> Int64 {
        if isSandbox {
            sandbox += 1
            let family: Int64 = time < CalendarTime(2022, 1, 1) ? 1_000_000 : 2_000_000
            return family * 1_000_000_000 + Self.scattered(sandbox, below: 1_000_000_000)
        }
        let days = time.daysSinceEpoch - CalendarTime(2012, 1, 1).daysSinceEpoch
        return 100_000_000_000_000 + max(0, days) * 100_000_000_000 + lowDigits()
    }

    /// Web order line items are counted apart but look alike.
    mutating func nextLineItem(sandbox isSandbox: Bool) -> Int64 {
        isSandbox ? 1_000_000_000_000_000 + lowDigits() : 110_000_000_000_000 + lowDigits()
    }

    /// Nine digits, as crackers make them up.
    mutating func nextMadeUp() -> Int64 {
        sandbox += 1
        return 100_000_000 + Self.scattered(sandbox, below: 900_000_000)
    }

    private mutating func lowDigits() -> Int64 {
        production += 1
        return Self.scattered(production, below: 100_000_000_000)
    }

    /// A bijection of the numbers below a limit that shares no prime factor
    /// with the multiplier: 2, 3 and 5 are none of its.
    private static func scattered(_ number: Int64, below limit: Int64) -> Int64 {
        let product = number.magnitude.multipliedFullWidth(by: 7_368_787_961)
        return Int64(limit.magnitude.dividingFullWidth((product.high, product.low)).remainder)
    }
}
