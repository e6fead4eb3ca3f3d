/// The month that the title of a list of payments states: `(September, 2014)`.
enum PaymentMonth {
    static func found(in title: String) -> String? {
        guard let open = title.lastIndex(where: { $0 == "(" || $0 == "（" }) else { return nil }
        let inside = title[title.index(after: open)...].prefix { $0 != ")" && $0 != "）" }.lowercased()
        var numbers: [Int] = []
        var digits = ""
        for character in inside + " " {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else if !digits.isEmpty {
                numbers.append(Int(digits) ?? 0)
                digits = ""
            }
        }
        guard let year = numbers.first(where: { (2008...2100).contains($0) }) else { return nil }
        let words = inside.split { !$0.isLetter }
        let named = months.firstIndex { names in words.contains { names.contains(String($0)) } }
        guard let month = named.map({ $0 + 1 }) ?? numbers.first(where: { (1...12).contains($0) }) else { return nil }
        return "\(year)-\(month < 10 ? "0" : "")\(month)"
    }

    /// English, German, French, Spanish, Italian, Dutch, Portuguese; Chinese and Japanese months have numbers or signs.
    private static let months: [Set<String>] = [
        ["january", "januar", "jänner", "janvier", "enero", "gennaio", "januari", "janeiro", "一月"],
        ["february", "februar", "février", "febrero", "febbraio", "februari", "fevereiro", "二月"],
        ["march", "märz", "mars", "marzo", "maart", "março", "三月"],
        ["april", "avril", "abril", "aprile", "四月"],
        ["may", "mai", "mayo", "maggio", "mei", "maio", "五月"],
        ["june", "juni", "juin", "junio", "giugno", "junho", "六月"],
        ["july", "juli", "juillet", "julio", "luglio", "julho", "七月"],
        ["august", "août", "agosto", "augustus", "八月"],
        ["september", "septembre", "septiembre", "settembre", "setembro", "九月"],
        ["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "十月"],
        ["november", "novembre", "noviembre", "novembro", "十一月"],
        ["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "十二月"],
    ]
}
