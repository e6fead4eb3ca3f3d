public import Foundation

/// Another program, run to its end, and what it writes.
///
/// Both streams are read at the same time: a program that fills the pipe of one
/// stream (64 KiB) while only the other is read would wait for ever.
public struct Command {
    public struct Result: Sendable, CustomStringConvertible {
        public var status: Int32
        /// Whether the program ended by itself; false where a signal ended it.
        public var hasExited: Bool
        public var bytes: [UInt8]
        public var errors: String
        public var output: String { String(decoding: bytes, as: UTF8.self) }
        public var description: String { "status \(status), output: \(output), errors: \(errors)" }
    }

    public struct NotFound: Error { public let tool: String }

    private let executable: URL
    private let arguments: [String]
    /// The working directory; nil is this process's own.
    public var folder: URL?
    /// Variables that are added to this process's environment.
    public var environment: [String: String] = [:]
    /// The file that is standard input; nil is `/dev/null`.
    public var input: String?
    /// A pipe that takes standard output in place of the result.
    public var output: Pipe?

    /// - Parameter tool: a path, or a name that is looked for on the search path.
    public init(_ tool: String, _ arguments: [String], in folder: URL? = nil) throws {
        guard let executable = Self.find(tool) else { throw NotFound(tool: tool) }
        self.executable = executable
        self.arguments = arguments
        self.folder = folder
    }

    /// The program that a name stands for; nil where there is none.
    public static func find(_ tool: String) -> URL? {
        guard !tool.contains("/") else { return URL(filePath: tool) }
        return ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
            .map { URL(filePath: String($0)).appending(path: tool) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    public func run() throws -> Result {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        if !environment.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }
        process.standardInput = try input.map { try FileHandle(forReadingFrom: URL(filePath: $0)) } ?? .nullDevice
        let (standardOutput, standardError) = (Pipe(), Pipe())
        process.standardOutput = output ?? standardOutput
        process.standardError = standardError
        try process.run()
        if output != nil { try standardOutput.fileHandleForWriting.close() }
        let texts = try Self.readToEnd([standardOutput, standardError])
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, hasExited: process.terminationReason == .exit, bytes: texts[0],
            errors: String(decoding: texts[1], as: UTF8.self))
    }

    /// What comes through pipes, each read as soon as it has something.
    private static func readToEnd(_ pipes: [Pipe]) throws -> [[UInt8]] {
        var texts = pipes.map { _ in [UInt8]() }
        var waiting = pipes.map {
            pollfd(fd: $0.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        }
        var part = [UInt8](repeating: 0, count: 65_536)
        while waiting.contains(where: { $0.fd >= 0 }) {
            guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 || errno == EINTR else {
                throw POSIXError(.init(rawValue: errno) ?? .EIO)
            }
            for index in waiting.indices where waiting[index].fd >= 0 && waiting[index].revents != 0 {
                let count = read(waiting[index].fd, &part, part.count)
                if count > 0 {
                    texts[index] += part[..<count]
                } else if count == 0 || errno != EINTR {
                    // poll(2) passes over negative descriptors.
                    waiting[index].fd = -1
                }
                waiting[index].revents = 0
            }
        }
        return texts
    }
}
