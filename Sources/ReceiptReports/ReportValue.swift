/// One value of a report's result, as SQLite stores it.
package enum ReportValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// Made of an integer in a column of money.
    case money(MoneyAmount)

    /// The value as plain text, the same in every format: integers in full,
    /// reals as the shortest decimal that reads back as the same number, bytes
    /// in lower-case hexadecimal, money in the digits of its currency. Nil for null.
    var plainText: String? {
        switch self {
        case .null: nil
        case .integer(let number): String(number)
        case .real(let number): number.description
        case .text(let text): text
        case .money(let amount): amount.text
        case .blob(let bytes): bytes.map { String($0 >> 4, radix: 16) + String($0 & 0x0f, radix: 16) }.joined()
        }
    }
}
