internal import Foundation
internal import TestSupport

/// The built binary, run as a user runs it.
enum Mill {
    typealias Result = Command.Result

    /// The program that `RECEIPTMILL_BINARY` names, such as a release, which is many times as fast as
    /// the debug build beside the test bundle.
    static var binary: URL {
        if let stated = ProcessInfo.processInfo.environment["RECEIPTMILL_BINARY"] { return URL(filePath: stated) }
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        return folder.appending(path: "receiptmill")
    }

    /// - Parameters:
    ///   - folder: the working directory, where not this process's own.
    ///   - input: the file that is standard input, where there is one.
    ///   - output: where standard output goes instead of into the result.
    ///   - asNobody: as the user without rights; only root can. Root may do what no
    ///     service user may.
    static func run(
        _ arguments: [String], in folder: URL? = nil, input: String? = nil, output: Pipe? = nil, asNobody: Bool = false
    ) throws -> Result {
        var command =
            asNobody
            ? try Command("setpriv", ["--reuid=65534", "--clear-groups", binary.path] + arguments, in: folder)
            : try Command(binary.path, arguments, in: folder)
        command.input = input
        command.output = output
        return try command.run()
    }
}
