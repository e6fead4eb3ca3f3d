internal import Foundation
package import MillSystem
internal import ReportHeaders

/// Where cells lead that name an account, a device, a document or a transaction: to the
/// report about it, as Datasette serves it.
package struct CaseLinks: Sendable, Hashable {
    /// The report about what a column names; nil for a column of anything else.
    static func report(about column: String) -> String? {
        switch column {
        case "account_id", "other_account_id", "device_id", "other_device_id", "receipt_sha256", "newer_sha256",
            "older_sha256", "transaction_id", "subject":
            "fraud-case"
        case "owner": "entitlement-case"
        default: nil
        }
    }

    /// The parameter that each of these reports requires.
    private static let parameters = ["fraud-case": "case", "entitlement-case": "owner"]

    private let address: String

    /// - Parameter address: of the database in Datasette, as in `http://127.0.0.1:8001/mill`.
    /// - Throws: ``MillError`` if it is no address of the web: a page that is mailed on
    ///   can lead nowhere else.
    package init(address: String) throws(MillError) {
        guard address.hasPrefix("http://") || address.hasPrefix("https://"), !address.contains(where: \.isWhitespace)
        else {
            throw ReportRun.misuse(
                "\(address) is no address that cases could be found at",
                hint: "give that of the database in Datasette, such as http://127.0.0.1:8001/mill")
        }
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
    }

    /// The address of a cell's case; nil where the cell names none.
    func address(of value: ReportValue, in column: ReportColumn) -> String? {
        guard let report = Self.report(about: column.name), let parameter = Self.parameters[report],
            case .text(let text) = value, !text.isEmpty, value != .text("(none)")
        else { return nil }
        return
            "\(address)/\(report)?\(parameter)=\(text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")"
    }

    /// Characters that stand in an address as they are (RFC 3986, 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~")
}
