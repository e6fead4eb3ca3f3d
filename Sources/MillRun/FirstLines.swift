internal import Foundation
internal import MillConfiguration
internal import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification

/// The first lines that a command loads into a database without documents. If most of them can't be read, or most
/// documents lead to one root certificate that is no trust anchor, a setting is wrong rather than the lines. The load
/// is then refused before its first commit.
struct FirstLines {
    private let rejectedShare: Double
    /// The archive from which the first line came.
    private var archive = ""
    private var lines = 0
    private var rejectedLines = 0
    /// The number of rejected documents by reason.
    private var reasons: [String: Int] = [:]
    private var documents = 0
    /// The number of untrusted documents by reason; the reason names their root certificate.
    private var untrustedRoots: [String: Int] = [:]

    /// After so many lines, or documents (a line may hold a thousand), the load is no longer refused.
    private static let maximum = (lines: 1_000, documents: 10_000)
    private static let untrustedShare = 0.5
    /// The maximum number of certificate files beside an archive that are searched for the missing root.
    private static let maximumFiles = 50
    private static let maximumFileBytes: Int64 = 1 << 20

    /// - Parameter maxRejected: the share of lines that may be rejected. A share below a half is checked only at the
    ///   end of the run.
    init(maxRejected: Double?) { rejectedShare = max(maxRejected ?? 0, AlarmSettings.usualShare) }

    var isEmpty: Bool { lines == 0 }
    /// Whether enough lines were read to decide, so that the load must not wait for further ones.
    var isComplete: Bool { lines >= Self.maximum.lines || documents >= Self.maximum.documents }

    mutating func add(_ batch: VerifiedBatch, of archive: String) {
        if isEmpty { self.archive = archive }
        lines += batch.lineCount
        let open = batch.rejections.filter { !$0.isDismissed }
        rejectedLines += batch.lineCount - batch.loadedLineCount - (batch.rejections.count - open.count)
        for rejection in open { reasons[rejection.cause.reason.rawValue, default: 0] += 1 }
        documents += batch.receipts.count
        for receipt in batch.receipts where receipt.verification.verdict == .untrustedRoot {
            untrustedRoots[receipt.verification.detail ?? "", default: 0] += 1
        }
    }

    /// Throws if the lines so far show that a setting is wrong; a few lines prove nothing.
    func judge() throws(MillError) {
        guard lines >= AlarmSettings.fewestLines else { return }
        if Double(rejectedLines) > rejectedShare * Double(lines) {
            let most = reasons.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
            throw refusal(
                "\(rejectedLines) of the first \(lines) lines are rejected, most of them as \(most)",
                hint: "receiptmill inspect shows what is in a line and why no document of it can be read; "
                    + "--no-preflight loads the lines all the same")
        }
        guard let (reason, count) = untrustedRoots.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
            Double(count) > Self.untrustedShare * Double(documents)
        else { return }
        let file = Self.certificateFile(beside: archive, named: reason)
        throw refusal(
            "\(count) of the first \(documents) documents can't be trusted: \(reason)",
            hint: (file.map { "did you mean --trust \($0)? " }
                ?? "--trust takes a file with the certificate of that root; ")
                + "--no-preflight loads the documents as untrusted")
    }

    private func refusal(_ what: String, hint: String) -> MillError {
        MillError(
            stage: .verifying, path: archive, what: "\(what); nothing was loaded", hint: hint, exitStatus: .badData)
    }

    /// A file in the archive's folder with the certificate whose fingerprint the reason states.
    private static func certificateFile(beside archive: String, named reason: String) -> String? {
        guard archive != "-" else { return nil }
        let folder = PathParts.folder(of: archive)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let endings: Set = ["pem", "cer", "crt", "der"]
        let files = names.filter { endings.contains(($0 as NSString).pathExtension) }.sorted().prefix(maximumFiles)
        for name in files {
            let path =
                folder == "." && !archive.hasPrefix("./") ? name : (folder as NSString).appendingPathComponent(name)
            guard let stamp = FileStamp(path: path), stamp.isRegular, stamp.bytes <= maximumFileBytes,
                let bytes = FileManager.default.contents(atPath: path)
            else { continue }
            var anchors = TrustAnchors()
            guard let count = try? anchors.insertCertificates(of: [UInt8](bytes)), count > 0 else { continue }
            if anchors.fingerprints.contains(where: { reason.contains($0.hex) }) { return path }
        }
        return nil
    }
}
