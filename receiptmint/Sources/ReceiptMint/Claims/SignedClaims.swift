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
    var bundleID: String? { nil }
    var appleID: Int64? { nil }
    var transactionIDs: [String] { [] }
    var device: DeviceVerification? { nil }
    var unknown: [UnknownMember] { [] }
}
