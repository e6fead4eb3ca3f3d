internal import Foundation
package import TestSupport

/// gzip's own tool, which tests hold the reader to.
package enum Gzip {
    package struct Result {
        package var output: [UInt8]
        package var status: Int32
    }

    package static func run(_ arguments: [String], on input: [UInt8], in workdir: Workdir) throws -> Result {
        let name = "gzip-\(UUID().uuidString)"
        try workdir.write(input, to: name)
        var command = try Command("gzip", arguments)
        command.input = workdir.path(name)
        let result = try command.run()
        try FileManager.default.removeItem(at: workdir.url.appending(path: name))
        return Result(output: result.bytes, status: result.status)
    }

    package static func compress(_ text: [UInt8], _ options: String..., in workdir: Workdir) throws -> [UInt8] {
        try run(["-nc"] + options, on: text, in: workdir).output
    }

    /// What the tool recovers, of damaged input too; nil status where all was well.
    package static func recover(_ bytes: [UInt8], in workdir: Workdir) throws -> Result {
        try run(["-dc"], on: bytes, in: workdir)
    }
}
