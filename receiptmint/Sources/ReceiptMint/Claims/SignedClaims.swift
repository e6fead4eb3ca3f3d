/// What the store signs at a moment.
protocol SignedClaims: Sendable {
    /// The contract's name of the document.
    static var kind: String { get }
    var signedAt: CalendarTime { get }
    /// What views call the environment.
    var environmentName: String { get }
    /// Renewal infos and realtime requests state none.
    var bundleID: String? { get }
    var appleID: Int64? { get }
    var transactionIDs: [String] { get }
    var device: DeviceVerification? { get }
    /// Members that no version of the store's interface has.
    var unknown: [UnknownMember] { get }
    var payload: JSONText { get }
}

extension SignedClaims {
    /// Whether it is of the time since which the store states the account within the app, the platform on which the
    /// app was got, and periods of offers.
    var statesAccount: Bool { signedAt >= CalendarTime(2025, 2, 21) }
    var bundleID: String? { nil }
    var appleID: Int64? { nil }
    var transactionIDs: [String] { [] }
    var device: DeviceVerification? { nil }
    var unknown: [UnknownMember] { [] }
}
