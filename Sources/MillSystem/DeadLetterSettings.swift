/// Where a run writes rejected lines, and how long and how many of them the database keeps.
public struct DeadLetterSettings: Sendable, Hashable {
    /// The dead-letter file: gzip.
    public var file = ""
    /// Days after which a kept line goes; its rejection stays.
    public var keepDays = Self.usualDays
    /// MiB that kept lines may take in all, compressed.
    public var keepMebibytes = Self.usualMebibytes

    public static let usualDays = 90
    public static let usualMebibytes = 64
    public static let days = 1...36_500
    public static let mebibytes = 1...(1 << 20)

    public init() {}

    public init(file: String) {
        self.file = file
    }
}
