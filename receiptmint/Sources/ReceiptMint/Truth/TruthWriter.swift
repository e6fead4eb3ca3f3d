internal import Foundation

/// Writes `truth.json` and the files of lines beside it. Only counts and the
/// line numbers of defects stay in memory.
struct TruthWriter {
    private var truth: Truth
    private let folder: URL
    /// By name.
    private let files: [String: NewFile]

    /// - Parameter anchors: the SHA-256 of each; the second is that of signed strings.
    init(folder: URL, parameters: MintParameters, anchors: [String]) throws {
        self.folder = folder
        let names = MintRun.lineNames + (anchors.count > 1 ? MintRun.signedNames : [])
        files = try Dictionary(uniqueKeysWithValues: names.map { ($0, try NewFile(folder, $0)) })
        truth = Truth(
            parameters: Truth.Parameters(parameters), anchor: MintRun.anchorName, anchorSha256: anchors[0],
            apps: parameters.apps.map {
                Truth.App(
                    bundleId: $0.bundleID, platform: $0.platform.rawValue, firstFreeVersion: $0.firstFreeVersion,
                    accountsByEra: ["paid": 0, "free": 0])
            },
            archives: [])
        if anchors.count > 1 { (truth.signedAnchorSha256, truth.signed) = (anchors[1], Truth.SignedTotals()) }
        if parameters.holds2026 {
            truth.of2026 = Truth2026(
                bundleId: parameters.population.storyApp.bundleID, endsAt: parameters.end.wholeSeconds)
        }
    }

    mutating func add(_ line: some PresentedLine, archive: String, number: Int) throws {
        if let defect = line.defect?.rawValue {
            truth.defects[defect, default: [:]][archive, default: []].append(number)
        }
        if let role = line.role?.rawValue { truth.roles[role, default: [:]][archive, default: []].append(number) }
        try files[MintRun.linesName]?.write([line.truth(archive: archive, number: number)].truthLines)
    }

    /// - Returns: the number of lines so far.
    mutating func add(_ minted: some Minted) throws -> Int {
        minted.count(in: &truth)
        for (name, lines) in minted.facts { try files[name]?.write(lines) }
        return truth.totals.lines
    }

    mutating func finish(archives: [GzipArchive], storeReports: Truth.StoreReports?) throws -> Truth {
        truth.storeReports = storeReports
        truth.archives = archives.map { Truth.Archive(name: $0.name, lines: $0.lines) }
        for file in files.values { try file.close() }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        let json = String(decoding: try encoder.encode(truth), as: UTF8.self)
        try NewFile.write(Array((Self.compacted(json) + "\n").utf8), to: MintRun.truthName, in: folder)
        return truth
    }

    /// Puts each array of numbers on one line; a defect can have thousands.
    private static func compacted(_ json: String) -> String {
        json.replacing(/\[\s+(\d[\d,\s]*)\]/) { array in
            "[" + array.1.split(whereSeparator: \.isWhitespace).joined(separator: " ") + "]"
        }
    }
}

extension Truth.Parameters {
    init(_ parameters: MintParameters) {
        self.init(
            seed: parameters.seed, count: parameters.count, archives: parameters.archives,
            linesPerMember: parameters.linesPerMember, level: parameters.level,
            digest: parameters.digest?.rawValue ?? "mixed",
            shares: Self.named(Defect.allCases.map { ($0, parameters.shares[$0] ?? 0) }),
            oddForms: parameters.oddForms, bareLines: parameters.bareLines)
        if parameters.isCompany { company = true }
        guard parameters.signedCount > 0 else { return }
        signed = parameters.signed
        signedShares = Self.named(SignedDefect.allCases.map { ($0, parameters.signedShares[$0] ?? 0) })
        if parameters.writesStoreReports { storeShares = Self.named(Array(parameters.storeShares)) }
        guard parameters.holds2026 else { return }
        shares2026 = Self.named(Array(parameters.shares2026))
        lastDay = parameters.lastDay.iso
    }

    private static func named(_ shares: [(key: some PlantedKind, value: Double)]) -> [String: Double] {
        Dictionary(uniqueKeysWithValues: shares.map { ($0.key.rawValue, $0.value) })
    }
}
