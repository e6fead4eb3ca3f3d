internal import ArgumentParser

/// A parameter's value as given on the command line: `NAME=VALUE`.
struct ReportSetting: ExpressibleByArgument, Equatable {
    var name: String
    var text: String
    /// The word on the command line; nil if the value came from `--param`.
    private(set) var word: String?

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
        name = String(argument[..<sign])
        text = String(argument[argument.index(after: sign)...])
    }

    /// Reads a word such as `from=2026-01`; nil if the text before `=` can't be a parameter's name.
    init?(word: String) {
        guard let setting = Self(argument: word),
            let first = setting.name.first, first.isASCII, first.isLowercase,
            setting.name.allSatisfy({ $0 == "_" || $0.isASCII && ($0.isLowercase || $0.isNumber) })
        else { return nil }
        self = setting
        self.word = word
    }
}
