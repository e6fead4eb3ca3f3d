internal import GRDB

/// Why a refresh computes all models from everything.
package enum WholeRefresh: String, Sendable, Hashable, Error {
    case asked, absent, version, timeZone, settings, erasure, retraction, retention, verification, pseudonyms, clock
    case notification, size, leftOut, misfit

    /// The reason, as the end of a sentence that begins with "because".
    package var words: String {
        switch self {
        case .asked: "it was asked for"
        case .absent: "there were none"
        case .version: "another version had computed them"
        case .timeZone: "the time zone changed"
        case .settings: "settings changed"
        case .erasure: "a person was erased"
        case .retraction: "an archive was taken out"
        case .retention: "old lines were deleted"
        case .verification: "documents were verified again"
        case .pseudonyms: "the pseudonym key changed"
        case .clock: "times of loading were corrected"
        case .notification: "an app's first notification is earlier than it was"
        case .size: "more than a quarter of all transactions changed"
        case .leftOut: "some rows are left out of them"
        case .misfit: "rows of a slice stood outside it"
        }
    }
}
