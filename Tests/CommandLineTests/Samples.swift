internal import Foundation

/// The archive of `data-samples/` and the root that it trusts.
enum Samples {
    static let folder: URL = {
        var place = URL(filePath: #filePath)
        for _ in 0..<3 { place.deleteLastPathComponent() }
        return place.appending(path: "data-samples")
    }()

    static var archive: String { folder.appending(path: "receipts-001.jsonl.gz").path }
    static var root: String { folder.appending(path: "root.pem").path }
}
