extension ReportParameter.Kind {
    /// What a text of this kind is, as in "is not …".
    var described: String {
        switch self {
        case .text: "a text"
        case .integer: "a whole number of 64 bits"
        case .real: "a number"
        case .date: "a day such as 2024-02-29"
        case .month: "a month such as 2024-02"
        }
    }

    /// The value to bind for a text, nil where the text is not of this kind.
    func value(of text: String) -> ReportValue? {
        switch self {
        case .text: .text(text)
        case .integer: Int64(text).map(ReportValue.integer)
        case .real: Double(text).flatMap { $0.isFinite ? .real($0) : nil }
        case .date: Self.isDay(text) ? .text(text) : nil
        case .month: Self.isDay(text + "-01") ? .text(text) : nil
        }
    }

    func accepts(_ text: String) -> Bool { value(of: text) != nil }

    /// Whether a text is a day of the Gregorian calendar, `YYYY-MM-DD`.
    private static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(month) && (1...days[month - 1]).contains(day)
    }
}
