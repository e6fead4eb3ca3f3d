/// The month in the title of a list of payments, such as `(September, 2014)`.
enum PaymentMonth: Equatable {
    /// `2014-09`.
    case month(String)
    /// A year, and a month in an unknown language.
    case unknown
    /// The text has no year in parentheses, and so is not a title.
    case none

    init(of title: String) {
        self = .none
        guard let open = title.lastIndex(where: { $0 == "(" || $0 == "（" }) else { return }
        let inside = title[title.index(after: open)...].prefix { $0 != ")" && $0 != "）" }.lowercased()
        let numbers = inside.split { !($0.isASCII && $0.isNumber) }.map { Int($0) ?? 0 }
        guard let year = numbers.first(where: { (2008...2100).contains($0) }) else { return }
        self = .unknown
        let words = inside.split { !$0.isLetter }
        let named = Self.months.firstIndex { names in words.contains { names.contains(String($0)) } }
        guard let month = named.map({ $0 + 1 }) ?? numbers.first(where: { (1...12).contains($0) }) else { return }
        self = .month("\(year)-\(month < 10 ? "0" : "")\(month)")
    }

    /// The month, such as `2014-09`; nil if it is not understood.
    var text: String? { if case .month(let text) = self { text } else { nil } }

    /// Month names in English, German, French, Spanish, Italian, Dutch, Portuguese, Swedish, Polish, Turkish and
    /// Russian; in Chinese, Japanese and Korean, the numbers or signs of months.
    private static let months: [Set<String>] = [
        "january jan januar jänner janvier enero gennaio januari janeiro styczeń stycznia ocak январь января 一月",
        "february feb februar février febrero febbraio februari fevereiro luty lutego şubat февраль февраля 二月",
        "march mar märz mars marzo maart março marzec marca mart март марта 三月",
        "april apr avril abril aprile kwiecień kwietnia nisan апрель апреля 四月",
        "may mai mayo maggio mei maio maj maja mayıs май мая 五月",
        "june jun juni juin junio giugno junho czerwiec czerwca haziran июнь июня 六月",
        "july jul juli juillet julio luglio julho lipiec lipca temmuz июль июля 七月",
        "august aug août agosto augustus augusti sierpień sierpnia ağustos август августа 八月",
        "september sep sept septembre septiembre settembre setembro wrzesień września eylül сентябрь сентября 九月",
        "october oct oktober octobre octubre ottobre outubro październik października ekim октябрь октября 十月",
        "november nov novembre noviembre novembro listopad listopada kasım ноябрь ноября 十一月",
        "december dec dezember décembre diciembre dicembre dezembro grudzień grudnia aralık декабрь декабря 十二月",
    ].map { names in Set(names.split(separator: " ").map(String.init)) }
}
