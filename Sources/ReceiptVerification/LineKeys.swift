/// The keys under which an archive's JSON objects hold what a submission says.
///
/// Where several stand in one object, the one named first here wins.
public struct LineKeys: Sendable, Hashable {
    public var receipt = ["receipt", "receipt_data", "receipt-data", "receiptData"]
    public var device = ["device_id", "deviceId", "idfv", "guid"]
    public var account = ["account_id", "accountId", "user_id", "userId"]
    public var time = ["submitted_at", "received_at", "timestamp"]

    public init() {}
}
