/// The progress of a command at one moment, as shown to a person.
package struct ProgressState: Sendable, Hashable {
    /// The archive, file or model that is being processed.
    package var name = ""
    /// Its number among all, from 1; 0 if there is no order.
    package var place = 0
    /// The number of all; nil if unknown.
    package var places: Int?
    /// The share of the current archive, or of the models, that is done; nil if unknown.
    package var share: Double?
    package var lines: Int?
    /// Lines per second, over the last seconds.
    package var rate: Double?
    package var newReceipts: Int?
    package var knownReceipts: Int?
    package var rejected: Int?
    /// The seconds until the last archive is read; nil if unknown.
    package var secondsLeft: Double?

    package init() {}
}
