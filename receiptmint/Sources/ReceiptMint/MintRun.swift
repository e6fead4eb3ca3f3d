public import Foundation
internal import Synchronization

/// Makes archives of receipts and of signed strings, their trust anchors and the truth about them.
///
/// Chunks are minted side by side and written in order, a window at a time:
/// memory holds a window, whatever the count, and the bytes don't depend on
/// the number of threads.
public struct MintRun: Sendable {
    public let parameters: MintParameters

    public init(_ parameters: MintParameters) {
        self.parameters = parameters
    }

    public static let anchorName = "root.pem"
    public static let truthName = "truth.json"
    public static let linesName = "truth-lines.jsonl"
    public static let receiptsName = "truth-receipts.jsonl"
    public static let purchasesName = "truth-purchases.jsonl"
    /// Beside the others where signed strings are minted.
    public static let signedName = "truth-signed.jsonl"
    public static let renewalsName = "truth-renewals.jsonl"
    public static let notificationsName = "truth-notifications.jsonl"
    /// Where the store's reports are written: their folder, and the differences that were planted.
    public static let storeReportsName = "store-reports"
    public static let storeName = "truth-store.jsonl"
    static let lineNames = [linesName, receiptsName, purchasesName]
    static let signedNames = [signedName, renewalsName, notificationsName]

    /// Names of the archives, numbered from 1 in three digits.
    public var archiveNames: [String] {
        (1...max(1, parameters.archives)).map { "receipts-" + String(String(1_000 + $0).suffix(3)) + ".jsonl.gz" }
    }

    /// Every file that `run` writes, and the folder of reports.
    public var fileNames: [String] {
        archiveNames + [Self.anchorName, Self.truthName] + Self.lineNames
            + (parameters.signedCount > 0 ? Self.signedNames : [])
            + (parameters.writesStoreReports ? [Self.storeName, Self.storeReportsName] : [])
    }

    /// - Parameters:
    ///   - folder: made if it doesn't exist.
    ///   - replacing: whether files that stand there may be overwritten.
    ///   - progress: called with the number of lines written so far.
    public func run(into folder: URL, replacing: Bool = false, progress: (Int) -> Void = { _ in }) throws -> Truth {
        try prepare(folder, replacing: replacing)
        let shapes = [Authority.ofReceipts] + (parameters.signedCount > 0 ? [StoreAuthority.shape] : [])
        let anchors = try shapes.map { try Authority.shared($0, seed: parameters.seed).root }
        try write(anchors, into: folder)
        let archives = try archiveNames.map {
            try GzipArchive(
                folder: folder, name: $0, linesPerMember: parameters.linesPerMember, level: parameters.level)
        }
        var writer = try TruthWriter(
            folder: folder, parameters: parameters,
            anchors: anchors.map { try Digest.sha256.hash($0).hexadecimal })
        var sales: [OwnSale] = []
        let chunks = chunkCounts.receipts + chunkCounts.signed
        let window = max(1, parameters.jobs) * Self.chunksPerJob
        for start in stride(from: 0, to: chunks, by: window) {
            for minted in try mint(start..<min(start + window, chunks)) {
                progress(try write(minted, to: archives, truth: &writer))
                sales += minted.sales
            }
        }
        for archive in archives { try archive.finish() }
        let reports = parameters.writesStoreReports ? try StoreReportFiles(of: sales, parameters, in: folder) : nil
        return try writer.finish(archives: archives, storeReports: reports?.truth)
    }

    /// A few chunks for each thread even out their different sizes.
    private static let chunksPerJob = 4

    private func mint(_ numbers: Range<Int>) throws -> [any Minted] {
        let results = Mutex([Result<any Minted, any Error>?](repeating: nil, count: numbers.count))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(parameters.jobs, numbers.count)) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < numbers.count else { return }
                let result = Result { try chunk(numbers.lowerBound + index) }
                results.withLock { $0[index] = result }
            }
        }
        return try results.withLock { try $0.compactMap { try $0?.get() } }
    }

    private var chunkCounts: (receipts: Int, signed: Int) {
        func chunks(_ lines: Int) -> Int { (lines + MintedChunk.lines - 1) / MintedChunk.lines }
        return (chunks(parameters.receiptCount), chunks(parameters.signedCount))
    }

    /// Chunks of signed strings stand evenly among those of receipts.
    private func chunk(_ number: Int) throws -> any Minted {
        let (receipts, signed) = chunkCounts
        func signedChunks(before number: Int) -> Int { number * signed / (receipts + signed) }
        let signedBefore = signedChunks(before: number)
        if signedChunks(before: number + 1) == signedBefore {
            let authority = try Authority.shared(seed: parameters.seed)
            return try MintedChunk(number - signedBefore, parameters, authority: authority)
        }
        let authority = try Authority.shared(StoreAuthority.shape, seed: parameters.seed)
        return try SignedChunk(signedBefore, numbersChunk: receipts + signedBefore, parameters, authority: authority)
    }

    /// Spreads a chunk over the archives by time: the first archive gets the earliest lines.
    ///
    /// - Returns: the number of lines so far.
    private func write(_ minted: some Minted, to archives: [GzipArchive], truth: inout TruthWriter) throws -> Int {
        let texts = minted.texts
        for (index, archive) in archives.enumerated() {
            let range = index * texts.count / archives.count..<(index + 1) * texts.count / archives.count
            let firstLine = archive.lines + 1
            try archive.append(Array(texts[range]))
            for (offset, index) in range.enumerated() {
                try truth.add(minted.submissions[index], archive: archive.name, number: firstLine + offset)
            }
        }
        return try truth.add(minted)
    }

    private func prepare(_ folder: URL, replacing: Bool) throws {
        try NewFile.makeFolder(folder)
        guard !replacing else { return }
        for name in fileNames {
            let path = folder.appending(path: name).path
            if FileManager.default.fileExists(atPath: path) { throw MintError.exists(path: path) }
        }
    }

    /// PEM of RFC 7468: 64 characters a line.
    private func write(_ anchors: [[UInt8]], into folder: URL) throws {
        let texts = anchors.map { anchor in
            let text = Data(anchor).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n"
        }
        try NewFile.write(Array(texts.joined().utf8), to: Self.anchorName, in: folder)
    }
}
