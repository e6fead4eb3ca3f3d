internal import DatabaseCare
internal import Foundation
internal import MillBytes
internal import MillDatabase
internal import MillSystem
internal import ReceiptTrust

/// The customers who agreed that data on their consumption is sent to Apple, from a file of the user's.
struct ConsentList {
    private var accounts: Set<DocumentText> = []
    private var accountTokens: Set<DocumentText> = []
    private var appTransactions: Set<DocumentText> = []

    private static let columns = ["account", "app_account_token", "app_transaction_id"]
    private static let form = ListForm(
        option: "--consents", noun: "customer", required: [], oneOf: columns, example: "4711")
    private static let maximumBytes = 256 << 20

    /// Reads CSV with at least one of the columns `account`, `app_account_token` and `app_transaction_id`, or JSON
    /// lines with such members.
    ///
    /// - Parameter pseudonyms: the key of the database's pseudonyms; if nil, names are compared as the file has them.
    init(path: String, pseudonyms: Pseudonyms?) throws {
        let text: String
        do throws(TextFile.Fault) { text = try TextFile.read(path, atMost: Self.maximumBytes) } catch {
            throw MillError(
                stage: .reporting, path: path, line: error.line, what: error.what,
                hint: error.isMissing ? "give --consents a file of customers who agreed" : error.hint,
                exitStatus: error.isMissing ? .missingInput : .badData)
        }
        if text.first(where: { !$0.isWhitespace }) == "{" {
            try read(json: text, path, pseudonyms)
        } else {
            let rows = try Self.form.entries(ofFile: path) { line in
                let names = Self.columns.map { ($0, line[$0]) }.filter { !$1.isEmpty }
                guard !names.isEmpty else { throw line.fault("the line names nobody") }
                // A customer may occur several times in a list.
                return (names, ["\(line.number)"], "")
            }
            for (column, name) in rows.joined() { try insert(name, column, pseudonyms) }
        }
    }

    private mutating func read(json text: String, _ path: String, _ pseudonyms: Pseudonyms?) throws {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.allSatisfy(\.isWhitespace) {
            let members = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
            guard let members, !members.isEmpty,
                members.allSatisfy({ Self.columns.contains($0.key) && !$0.value.isEmpty })
            else {
                throw MillError(
                    stage: .reporting, path: path, line: index + 1, what: "names no customer",
                    hint:
                        #"such as {"account":"4711"} or {"app_account_token":"7e3c1a52-0b44-4d6e-9f10-aa55bb66cc77"}"#,
                    exitStatus: .badData)
            }
            for (column, name) in members { try insert(name, column, pseudonyms) }
        }
    }

    private mutating func insert(_ name: String, _ column: String, _ pseudonyms: Pseudonyms?) throws(MillError) {
        switch column {
        case "account":
            accounts.insert(DocumentText(try StoredName.ofAccount(name, pseudonyms)))
            // Many apps use the account itself as the token of its purchases.
            if Self.isUUID(name) { accountTokens.insert(Self.token(try StoredName.ofAccountToken(name, pseudonyms))) }
        case "app_account_token":
            accountTokens.insert(Self.token(try StoredName.ofAccountToken(name, pseudonyms)))
        default: appTransactions.insert(DocumentText(try StoredName.ofAppTransaction(name, pseudonyms)))
        }
    }

    /// A token in one notation: small and capital letters, hyphens and braces make no difference in UUIDs.
    private static func token(_ text: String) -> DocumentText {
        isUUID(text) ? DocumentText(decoding: digits(of: text)) : DocumentText(text)
    }

    private static func digits(of text: String) -> [UInt8] {
        text.utf8.filter { !"-{}".utf8.contains($0) }.map { (0x41...0x46).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func isUUID(_ text: String) -> Bool {
        let digits = digits(of: text)
        return digits.count == 32 && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Throws if the customer of a request has not consented. Apple signs the token and the app transaction, so these
    /// are trusted. An account is trusted only if it is the only one that is proved to hold the purchase.
    func check(_ request: RefundRequest) throws(Unanswered) {
        if let token = request.accountToken, accountTokens.contains(Self.token(token.string)) { return }
        if let transaction = request.appTransaction, appTransactions.contains(transaction) { return }
        switch request.holder {
        case .account(let account) where accounts.contains(account): return
        case .severalAccounts: throw .contested
        case .unknown where request.customerAccount.map(accounts.contains) ?? false: throw .unproven
        case .account, .unknown: throw .withoutConsent
        }
    }
}
