internal import Foundation
package import MillRun
package import ReceiptMint
internal import ReceiptTrust
package import TestSupport
import Testing

/// One minted archive in two files with every defect in it, for all tests that
/// ask for one.
package final class MintedArchive: Sendable {
    package let workdir: Workdir
    package let truth: Truth

    package static let shared = Result { try MintedArchive(count: 1_500) }

    package init(count: Int, archives: Int = 2) throws {
        workdir = try Workdir()
        var parameters = MintParameters()
        parameters.seed = 20_240_229
        parameters.count = count
        parameters.archives = archives
        parameters.linesPerMember = 200
        // Enough of each that none can be missing, of those that take several lines too.
        parameters.shares = Dictionary(
            uniqueKeysWithValues: Defect.allCases.map { defect in
                let lines =
                    switch defect {
                    case .burst: 20.0
                    case .sharedReceipt: 4.0
                    case .sharedLineage, .sharedTransaction, .replayedConsumable: 3.0
                    default: 1.0
                    }
                return (defect, max(0.02, lines / Double(count)))
            })
        parameters.oddForms = 0.2
        parameters.bareLines = 0.02
        parameters.jobs = 2
        truth = try MintRun(parameters).run(into: workdir.url)
        for defect in Defect.allCases { #expect(truth.defects[defect.rawValue]?.isEmpty == false, "\(defect)") }
    }

    /// Signed data of StoreKit 2 alone, in two files, with every defect in it.
    package init(signedLines count: Int) throws {
        workdir = try Workdir()
        var parameters = MintParameters()
        parameters.seed = 20_240_302
        parameters.count = count
        parameters.signed = 1
        parameters.archives = 2
        for defect in SignedDefect.allCases { parameters.signedShares[defect] = 0.02 }
        parameters.jobs = 2
        truth = try MintRun(parameters).run(into: workdir.url)
        for defect in SignedDefect.allCases { #expect(truth.defects[defect.rawValue]?.isEmpty == false, "\(defect)") }
    }

    /// What the store signs since 2026, in two files, beside a few ordinary signed strings.
    package init(linesOf2026 count: Int) throws {
        workdir = try Workdir()
        var parameters = MintParameters()
        parameters.seed = 20_261_031
        parameters.count = count
        parameters.signed = 1
        parameters.archives = 2
        parameters.plantAllOf2026(share: 0.8)
        parameters.jobs = 2
        truth = try MintRun(parameters).run(into: workdir.url)
    }

    package var archives: [String] { truth.archives.map { workdir.path($0.name) } }

    /// A run over all archives, which trusts the mint.
    package func ingest(into database: String, refreshes: Bool = true) throws -> Ingest {
        var ingest = Ingest(archives: archives, LoadConfiguration(database: database))
        ingest.configuration.refreshes = refreshes
        ingest.configuration.anchors = TrustAnchors()
        _ = try ingest.configuration.anchors.insertCertificates(of: workdir.read(truth.anchor))
        return ingest
    }
}

extension LoadConfiguration {
    /// For tests of what lines become, which takes a fraction of the time of the models behind them.
    package static func withoutModels(database: String) -> Self {
        var configuration = Self(database: database)
        configuration.refreshes = false
        return configuration
    }
}
