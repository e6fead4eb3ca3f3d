internal import Foundation
internal import TestSupport
internal import Testing

/// The output of `receiptmill status --json`.
struct StatusScreen {
    let status: Int32
    let object: [String: Any]

    init(_ arguments: String...) throws {
        let result = try Mill.run(["status"] + arguments + ["--json"])
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        (status, self.object) = (result.status, try #require(object, "\(result)"))
    }

    /// Subjects that need a person.
    var needed: [String] {
        lines.filter { $0["needs_person"] as? Bool == true }.compactMap { $0["subject"] as? String }
    }

    private var lines: [[String: Any]] { object["lines"] as? [[String: Any]] ?? [] }

    func line(_ subject: String) -> (text: String, next: String, advice: String)? {
        lines.first { $0["subject"] as? String == subject }
            .map { ($0["text"] as? String ?? "", $0["next"] as? String ?? "", $0["advice"] as? String ?? "") }
    }
}
