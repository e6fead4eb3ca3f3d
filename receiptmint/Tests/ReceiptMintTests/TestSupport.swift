import Foundation

@testable import ReceiptMint

/// A folder of its own that is gone afterwards.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "receiptmint-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Runs a tool found on the search path; its exit status and what it wrote.
func run(_ tool: String, _ arguments: [String], in folder: URL) throws -> (status: Int32, output: Data) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.currentDirectoryURL = folder
    process.standardOutput = pipe
    // Nothing reads the messages, which would fill a pipe.
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, output)
}

extension JSONDecoder {
    static var ofTruth: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    func lines<Value: Decodable>(_ type: Value.Type, at file: URL) throws -> [Value] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { try decode(type, from: Data($0)) }
    }
}

extension MintParameters {
    static func small(_ count: Int, seed: UInt64 = 1) -> MintParameters {
        var parameters = MintParameters()
        parameters.count = count
        parameters.seed = seed
        return parameters
    }
}

extension MintParameters {
    /// Those that an archive was made with.
    init(_ recorded: Truth.Parameters) {
        self.init()
        seed = recorded.seed
        count = recorded.count
        archives = recorded.archives
        linesPerMember = recorded.linesPerMember
        level = recorded.level
        digest = Digest(rawValue: recorded.digest)
        shares = Dictionary(
            uniqueKeysWithValues: Defect.allCases.map { ($0, recorded.shares[$0.rawValue] ?? 0) })
        oddForms = recorded.oddForms
        bareLines = recorded.bareLines
        signed = recorded.signed ?? 0
        signedShares = Dictionary(
            uniqueKeysWithValues: SignedDefect.allCases.map { ($0, recorded.signedShares?[$0.rawValue] ?? 0) })
        let recorded2026 = recorded.shares2026 ?? [:]
        shares2026 = Dictionary(
            uniqueKeysWithValues: Feature2026.allCases.compactMap { feature in
                recorded2026[feature.rawValue].map { (feature, $0) }
            })
        lastDay = recorded.lastDay.flatMap { StoreDay($0) } ?? lastDay
        isCompany = recorded.company ?? false
        writesStoreReports = recorded.storeShares != nil
        for (name, share) in recorded.storeShares ?? [:] {
            if let kind = StoreClass(rawValue: name) { storeShares[kind] = share }
        }
    }
}
