internal import ArgumentParser

/// A parameter's value as given on the command line: `NAME=VALUE`.
struct ReportSetting: ExpressibleByArgument, Equatable {
    var name: String
    var text: String
    /// The word that sets it; nil of a value of `--param`.
    private(set) var word: String?

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
        name = String(argument[..<sign])
        text = String(argument[argument.index(after: sign)...])
    }

    /// The parameter that a word sets; nil for a word that names something, such as a device in base64.
    init?(word: String) {
        guard let setting = Self(argument: word),
            let first = setting.name.first, first.isASCII, first.isLowercase,
            setting.name.allSatisfy({ $0 == "_" || $0.isASCII && ($0.isLowercase || $0.isNumber) })
        else { return nil }
        self = setting
        self.word = word
    }
}
