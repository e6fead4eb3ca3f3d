internal import ArgumentParser

/// A parameter's value as given on the command line: `NAME=VALUE`.
struct ReportSetting: ExpressibleByArgument {
    var name: String
    var text: String

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
        name = String(argument[..<sign])
        text = String(argument[argument.index(after: sign)...])
    }
}
