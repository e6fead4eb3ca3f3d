/// The keys under which an archive's JSON objects hold a submission's receipt, device, account and
/// time.
///
/// The key that comes first in a list wins where several of the list stand in one object.
package struct LineKeys: Sendable, Hashable {
    package var receipt = ["receipt", "receipt_data", "receipt-data", "receiptData"]
    package var device = ["device_id", "deviceId", "idfv", "guid"]
    package var account = ["account_id", "accountId", "user_id", "userId"]
    package var time = ["submitted_at", "received_at", "timestamp"]

    package init() {}
}
