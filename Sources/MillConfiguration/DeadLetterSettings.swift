/// Where a run writes rejected lines, and how long and how many of them are kept in the database.
package struct DeadLetterSettings: Sendable, Hashable {
    /// The path of the dead-letter file, which is gzip.
    package var file = ""
    /// Days after which a kept line is removed; its rejection stays.
    package var keepDays = Self.usualDays
    /// The maximum size of all kept lines, compressed, in MiB.
    package var keepMebibytes = Self.usualMebibytes

    package static let usualDays = 90
    package static let usualMebibytes = 64
    package static let days = 1...36_500
    package static let mebibytes = 1...(1 << 20)

    package init() {}

    package init(file: String) {
        self.file = file
    }
}
