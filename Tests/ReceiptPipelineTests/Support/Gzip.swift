import Foundation
import TestSupport

/// gzip's own tool, which tests hold the reader to.
enum Gzip {
    struct Result {
        var output: [UInt8]
        var status: Int32
    }

    static func run(_ arguments: [String], on input: [UInt8], in workdir: Workdir) throws -> Result {
        let name = "gzip-\(UUID().uuidString)"
        try workdir.write(input, to: name)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip"] + arguments
        process.standardInput = try FileHandle(forReadingFrom: workdir.url.appending(path: name))
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = [UInt8](try output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        try FileManager.default.removeItem(at: workdir.url.appending(path: name))
        return Result(output: bytes, status: process.terminationStatus)
    }

    static func compress(_ text: [UInt8], _ options: String..., in workdir: Workdir) throws -> [UInt8] {
        try run(["-nc"] + options, on: text, in: workdir).output
    }

    /// What the tool recovers, of damaged input too; nil status where all was well.
    static func recover(_ bytes: [UInt8], in workdir: Workdir) throws -> Result {
        try run(["-dc"], on: bytes, in: workdir)
    }
}

/// Numbers that are the same in every run (SplitMix64, Steele et al. 2014).
struct Repeatable: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
