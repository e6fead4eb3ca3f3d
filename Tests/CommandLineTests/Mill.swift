internal import Foundation

/// The built binary, run as a user runs it.
enum Mill {
    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The binary lies beside the test bundle.
    static var binary: URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        return folder.appending(path: "receiptmill")
    }

    /// - Parameters:
    ///   - folder: the working directory, where not this process's own.
    ///   - output: where standard output goes instead of into the result.
    ///   - asNobody: as the user without rights; only root can. Root may do what no
    ///     service user may.
    static func run(
        _ arguments: [String], in folder: URL? = nil, output: Pipe? = nil, asNobody: Bool = false
    ) throws -> Result {
        let process = Process()
        let standardOutput = Pipe()
        let standardError = Pipe()
        process.executableURL = asNobody ? URL(filePath: "/usr/bin/setpriv") : binary
        process.arguments = (asNobody ? ["--reuid=65534", "--clear-groups", binary.path] : []) + arguments
        if let folder { process.currentDirectoryURL = folder }
        process.standardOutput = output ?? standardOutput
        process.standardError = standardError
        process.standardInput = FileHandle.nullDevice
        try process.run()
        if output != nil { try standardOutput.fileHandleForWriting.close() }
        let text = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
        let errors = try standardError.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self))
    }
}
