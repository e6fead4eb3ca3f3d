/// What a person sees of a command at work, at one moment.
package struct ProgressState: Sendable, Hashable {
    /// The archive, file or model at which the command is.
    package var name = ""
    /// The name's place among all, counted from 1; 0 where there is no order.
    package var place = 0
    /// How many there are; nil if their number is not known.
    package var places: Int?
    /// The share of the current archive, or of the models, that is done; nil if that can't be known.
    package var share: Double?
    package var lines: Int?
    /// Lines a second, of the last seconds.
    package var rate: Double?
    package var newReceipts: Int?
    package var knownReceipts: Int?
    package var rejected: Int?
    /// Seconds until the last archive is read; nil if that can't be known.
    package var secondsLeft: Double?

    package init() {}
}
