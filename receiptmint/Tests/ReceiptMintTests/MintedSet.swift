import Foundation
import Testing

@testable import ReceiptMint

/// What a run of the mint wrote, read back by Foundation alone.
struct MintedSet {
    let truth: Truth
    /// Every string that stands in a line or in another string, by its SHA-256.
    private(set) var strings: [String: String] = [:]
    let lines: [LineTruth]
    let documents: [SignedTruth]
    let purchases: [PurchaseTruth]
    let notifications: [NotificationTruth]
    let renewals: [RenewalTruth]
    /// Where the store's reports are written: planted differences, and each file's lines by its name.
    let differences: [StoreDifferenceTruth]
    let reports: [String: [String]]

    init(_ parameters: MintParameters) throws {
        self = try withTemporaryFolder { folder in try MintedSet(MintRun(parameters).run(into: folder), in: folder) }
    }

    private init(_ truth: Truth, in folder: URL) throws {
        self.truth = truth
        func read<Line: Decodable>(_ name: String) throws -> [Line] {
            try JSONDecoder.ofTruth.lines(Line.self, at: folder.appending(path: name))
        }
        lines = try read(MintRun.linesName)
        documents = try read(MintRun.signedName)
        purchases = try read(MintRun.purchasesName)
        notifications = try read(MintRun.notificationsName)
        renewals = try read(MintRun.renewalsName)
        differences = truth.storeReports == nil ? [] : try read(MintRun.storeName)
        reports = truth.storeReports == nil ? [:] : try Self.reports(in: folder)
        for archive in truth.archives {
            let text = try run("gzip", ["-dc", archive.name], in: folder).output
            for line in text.split(separator: UInt8(ascii: "\n")) {
                let value = try? JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)
                collect(value ?? String(decoding: line, as: UTF8.self))
            }
        }
    }

    private static func reports(in folder: URL) throws -> [String: [String]] {
        _ = try run("gunzip", ["--recursive", MintRun.storeReportsName], in: folder)
        let reports = folder.appending(path: MintRun.storeReportsName)
        let names = try FileManager.default.contentsOfDirectory(atPath: reports.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let text = try String(contentsOf: reports.appending(path: name), encoding: .utf8)
                return (name, text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
            })
    }

    /// Payloads of the trusted documents of a kind.
    func payloads(_ kind: String) throws -> [[String: Any]] {
        try documents.filter { $0.verdict == "trusted" && $0.kind == kind }.map {
            try Self.payload(#require(strings[$0.receiptSha256]))
        }
    }

    private mutating func collect(_ value: Any) {
        switch value {
        case let text as String where text.hasPrefix("eyJ"):
            guard let sha256 = try? Digest.sha256.hash(Array(text.utf8)).hexadecimal else { return }
            strings[sha256] = text
            if let payload = try? Self.payload(text) { collect(payload) }
        case let array as [Any]: for element in array { collect(element) }
        case let object as [String: Any]: for member in object.values { collect(member) }
        default: break
        }
    }

    static func payload(_ text: String) throws -> [String: Any] {
        try object(text.split(separator: ".", omittingEmptySubsequences: false)[1])
    }

    static func object(_ part: Substring) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: bytes(part)) as? [String: Any])
    }

    static func bytes(_ part: Substring) throws -> Data {
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        return try #require(Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)))
    }
}
