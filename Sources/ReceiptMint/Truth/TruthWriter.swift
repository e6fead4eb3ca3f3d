internal import Foundation

/// A chunk's truth as lines of JSON, made where the chunk is minted, so that
/// threads share the work.
struct EncodedTruth: Sendable {
    let receipts: [UInt8]
    let purchases: [UInt8]
    let totals: Truth.Totals
    let accountsByEra: [String: [String: Int]]

    init(_ truth: ChunkTruth) throws {
        let encoder = JSONEncoder.ofTruth
        receipts = try encoder.lines(truth.receipts)
        purchases = try encoder.lines(truth.purchases)
        totals = truth.totals
        accountsByEra = truth.accountsByEra
    }
}

/// Writes `truth.json` and the files of lines beside it. Only counts and the
/// line numbers of defects stay in memory.
struct TruthWriter {
    private(set) var lines = 0
    private var truth: Truth
    private let folder: URL
    private let encoder = JSONEncoder.ofTruth
    private let lineFile: FileHandle
    private let receiptFile: FileHandle
    private let purchaseFile: FileHandle

    init(folder: URL, parameters: MintParameters, anchorSha256: String) throws {
        self.folder = folder
        lineFile = try NewFile.create(folder.appending(path: MintRun.linesName).path)
        receiptFile = try NewFile.create(folder.appending(path: MintRun.receiptsName).path)
        purchaseFile = try NewFile.create(folder.appending(path: MintRun.purchasesName).path)
        truth = Truth(
            parameters: Truth.Parameters(parameters), anchor: MintRun.anchorName, anchorSha256: anchorSha256,
            apps: App.all.map {
                Truth.App(
                    bundleId: $0.bundleID, platform: $0.platform.rawValue, firstFreeVersion: $0.firstFreeVersion,
                    accountsByEra: ["paid": 0, "free": 0])
            },
            archives: [])
    }

    mutating func add(_ line: LineTruth) throws {
        lines += 1
        if let defect = line.defect {
            truth.defects[defect, default: [:]][line.archive, default: []].append(line.line)
        }
        try NewFile.write(Data(try encoder.lines([line])), to: lineFile, path: path(MintRun.linesName))
    }

    mutating func add(_ chunk: EncodedTruth) throws {
        truth.totals += chunk.totals
        for index in truth.apps.indices {
            let counts = chunk.accountsByEra[truth.apps[index].bundleId] ?? [:]
            truth.apps[index].accountsByEra.merge(counts, uniquingKeysWith: +)
        }
        try NewFile.write(Data(chunk.receipts), to: receiptFile, path: path(MintRun.receiptsName))
        try NewFile.write(Data(chunk.purchases), to: purchaseFile, path: path(MintRun.purchasesName))
    }

    mutating func finish(archives: [GzipArchive]) throws -> Truth {
        truth.archives = archives.map { Truth.Archive(name: $0.name, lines: $0.lines) }
        for file in [lineFile, receiptFile, purchaseFile] { try file.close() }
        encoder.outputFormatting.insert(.prettyPrinted)
        let file = try NewFile.create(path(MintRun.truthName))
        try NewFile.write(
            Self.compacted([UInt8](try encoder.encode(truth))) + [UInt8(ascii: "\n")], to: file,
            path: path(MintRun.truthName))
        try file.close()
        return truth
    }

    /// Puts each array of numbers on one line; a defect can have thousands.
    private static func compacted(_ json: [UInt8]) -> [UInt8] {
        var compact: [UInt8] = []
        compact.reserveCapacity(json.count)
        var isAfterBracket = false
        var isInNumbers = false
        for (index, byte) in json.enumerated() {
            let isSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
            if isAfterBracket, !isSpace {
                isAfterBracket = false
                isInNumbers = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                if isInNumbers {
                    while compact.last != UInt8(ascii: "[") { compact.removeLast() }
                }
            }
            if byte == UInt8(ascii: "[") { isAfterBracket = true }
            if byte == UInt8(ascii: "]") { isInNumbers = false }
            if isInNumbers, isSpace {
                if json[index - 1] == UInt8(ascii: ",") { compact.append(UInt8(ascii: " ")) }
            } else {
                compact.append(byte)
            }
        }
        return compact
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }
}

extension Truth.Parameters {
    init(_ parameters: MintParameters) {
        self.init(
            seed: parameters.seed, count: parameters.count, archives: parameters.archives,
            linesPerMember: parameters.linesPerMember, level: parameters.level,
            digest: parameters.digest?.rawValue ?? "mixed",
            shares: Dictionary(uniqueKeysWithValues: Defect.allCases.map { ($0.rawValue, parameters.share($0)) }),
            oddForms: parameters.oddForms, bareLines: parameters.bareLines)
    }
}

extension JSONEncoder {
    static var ofTruth: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    func lines(_ values: [some Encodable]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values {
            bytes += try encode(value)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
