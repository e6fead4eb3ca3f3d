internal import Foundation
package import MillSystem
internal import ReportHeaders

/// Links from cells that name an account, a device, a document or a transaction to the report about that case, as
/// served by Datasette.
package struct CaseLinks: Sendable, Hashable {
    /// The report about the accounts, devices, documents or transactions that a column names; nil for any other column.
    static func report(about column: String) -> String? {
        switch column {
        case "account_id", "other_account_id", "device_id", "other_device_id", "receipt_sha256", "newer_sha256",
            "older_sha256", "transaction_id", "subject":
            "fraud-case"
        case "owner": "entitlement-case"
        default: nil
        }
    }

    /// The required parameter of each report about a case.
    private static let parameters = ["fraud-case": "case", "entitlement-case": "owner"]

    private let address: String

    /// - Parameter address: the address of the database in Datasette, as in `http://127.0.0.1:8001/mill`.
    /// - Throws: ``MillError`` if the text is no web address: other kinds of links could do harm in a page that is
    ///   mailed to others.
    package init(address: String) throws(MillError) {
        guard address.hasPrefix("http://") || address.hasPrefix("https://"), !address.contains(where: \.isWhitespace)
        else {
            throw ReportRun.misuse(
                "\(address) is no address that cases could be found at",
                hint: "give that of the database in Datasette, such as http://127.0.0.1:8001/mill")
        }
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
    }

    /// The address of a cell's case; nil if the cell names none.
    func address(of value: ReportValue, in column: ReportColumn) -> String? {
        guard let report = Self.report(about: column.name), let parameter = Self.parameters[report],
            case .text(let text) = value, !text.isEmpty, value != .text("(none)")
        else { return nil }
        return
            "\(address)/\(report)?\(parameter)=\(text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")"
    }

    /// Characters that need no escaping in an address (RFC 3986, 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~")
}
