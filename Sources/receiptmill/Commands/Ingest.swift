import ArgumentParser
import ReceiptPipeline
import ReceiptTrust

struct Ingest: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Load archives of receipts into a database.")
    @Argument var archives: [String]
    @Option var database: String
    @Option var trust: [String] = []
    @Option var jobs: Int?
    @Option var app: [String] = []
    @Option var format = "text"
    func run() throws {
        var ingest = ReceiptPipeline.Ingest(archives: archives, database: database)
        ingest.anchors = try TrustAnchors(arguments: trust)
        if let jobs { ingest.jobs = jobs }
        ingest.apps = app.compactMap(AppSetting.init(parsing:))
        let s = try ingest.run { if case .progress = $0 {} else { print($0) } }
        print(s)
    }
}
