/// The ways in which a submission can be written down.
enum LineForm: String, Sendable {
    case plain
    /// Other names of the four members, and members that mean nothing here.
    case otherKeys = "other_keys"
    /// The alphabet of RFC 4648 5, without padding.
    case urlSafe = "url_safe"
    case unpadded
    /// `\/` for each slash, as some JSON writers have it.
    case escapedSlashes = "escaped_slashes"
    case spaced
    /// Base64 alone on its line.
    case bare
    /// Base64 in quotes.
    case jsonString = "json_string"

    var hasContext: Bool { self != .bare && self != .jsonString }

    static let odd: [LineForm] = [.otherKeys, .otherKeys, .urlSafe, .unpadded, .escapedSlashes, .spaced]
}
