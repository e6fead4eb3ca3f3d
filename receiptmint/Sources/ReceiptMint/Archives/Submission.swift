internal import MintSigning

/// One line of an archive before it is written: a receipt that some device or
/// account presented, and what was planted on the way.
struct Submission: Sendable {
    var receipt: MintedReceipt
    /// As it was when the submission was made; a line without context shows none of it.
    var presentedBy: PresentedBy
    var submittedAt: CalendarTime
    var defect: Defect?
    /// Of what is shared, where some of those who present it copied it.
    var role: Role?
    var form = LineForm.plain

    /// Whether who presents it has a right to it. The names are the contract's.
    enum Role: String, Sendable {
        case holder, copier
    }

    struct PresentedBy: Sendable {
        var deviceID: String?
        var accountID: String?
        /// Expected where the line names a device.
        var check: DeviceCheck
    }

    /// Whether the receipt's hash fits the device. The names are the contract's.
    enum DeviceCheck: String, Sendable {
        case match, mismatch
        case serverIssued = "server_issued"
        case noDeviceID = "no_device_id"
        case invalidDeviceID = "invalid_device_id"
        /// Of signed strings that no device fetched.
        case noHash = "no_hash"
    }

    var deviceID: String? { form.hasContext ? presentedBy.deviceID : nil }
    var accountID: String? { form.hasContext ? presentedBy.accountID : nil }
    /// When the archive says that it was submitted.
    var statedAt: CalendarTime? { form.hasContext ? submittedAt : nil }

    var deviceCheck: DeviceCheck {
        if presentedBy.check == .serverIssued { return .serverIssued }
        return deviceID == nil ? .noDeviceID : presentedBy.check
    }
}

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
