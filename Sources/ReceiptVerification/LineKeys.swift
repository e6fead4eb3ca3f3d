/// The keys that state who presented a document, on which device and when, and the keys whose texts are meant as
/// documents.
///
/// Keys that a user states precede the usual ones. If one object has several keys of a list, the first in the list
/// counts.
package struct LineKeys: Sendable, Hashable {
    package var receipt = ["receipt", "receipt_data", "receipt-data", "receiptData"]
    package var device = ["device_id", "deviceId", "idfv", "guid"]
    package var account = ["account_id", "accountId", "user_id", "userId", "app_user_id"]
    package var time = ["submitted_at", "received_at", "timestamp"]
    /// Keys whose values are ignored, whatever they contain.
    package var ignored: [String] = []

    package init() {}
}
