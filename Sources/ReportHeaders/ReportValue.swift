package import ReceiptFormat

/// One value of a report's result, as SQLite stores it.
package enum ReportValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// An integer in a money column, with its currency's decimals.
    case money(MoneyAmount)

    /// The value as plain text, the same in every format: integers in full, reals as the shortest decimal that gives
    /// the same number when read, bytes in lower-case hexadecimal, money with the decimals of its currency. Nil for
    /// null.
    package var plainText: String? {
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

extension ReportValue {
    /// The plain text as a key, compared by bytes, because the texts come from strangers.
    package var key: DocumentText? { plainText.map { DocumentText($0) } }

    /// A finite number for drawing; nil for any other value.
    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number) where number.isFinite: number
        case .money(let amount): amount.number
        default: nil
        }
    }
}

/// Texts are equal if their bytes are, as in SQLite.
extension ReportValue: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): DocumentText(left) == DocumentText(right)
        case (.blob(let left), .blob(let right)): left == right
        case (.money(let left), .money(let right)): left == right
        case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _), (.money, _): false
        }
    }
}
