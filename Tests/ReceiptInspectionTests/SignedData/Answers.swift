internal import Foundation
internal import MillSystem
internal import ReceiptFormat
internal import ReceiptTrust
internal import TestSupport
internal import Testing

@testable import ReceiptInspection

typealias Object = [String: Any]

extension SignedStringStore {
    /// A run of `verify` that trusts this store's root alone.
    func run(_ change: (inout VerifyRun) -> Void = { _ in }) throws -> VerifyRun {
        var run = VerifyRun(inputs: [])
        run.anchors = TrustAnchors()
        #expect(try run.anchors.insertCertificates(of: root.der) == 1)
        run.format = .json
        run.jobs = 1
        change(&run)
        return run
    }

    /// A notification that holds what is given.
    func notification(_ members: [String: String], date: Int64 = Self.signedAt) -> String {
        let held = members.sorted { $0.key < $1.key }.map { ",\"\($0)\":\"\($1)\"" }.joined()
        return """
            {"notificationType":"DID_RENEW","notificationUUID":"u-1","version":"2.0","signedDate":\(date),\
            "data":{"bundleId":"com.example.app","environment":"Production","status":1\(held)}}
            """
    }
}

extension VerifyRun {
    /// What it writes about a file of this content.
    func answers(to file: String, isBatch: Bool = false) throws -> (text: String, outcome: LineCounts) {
        let workdir = try Workdir()
        var run = self
        run.inputs = [try workdir.write(file, to: "file")]
        var text = ""
        let outcome = isBatch ? try run.runBatch { text += $0 } : try run.run { text += $0 }
        return (text.replacing(workdir.path("file"), with: "file"), outcome)
    }

    /// The only answer, in JSON.
    func answer(to file: String, isBatch: Bool = false) throws -> Object {
        try object(try answers(to: file, isBatch: isBatch).text)
    }
}

/// What `inspect` shows of a file of this content.
func inspected(_ file: String, _ format: ListingFormat = .json) throws -> (text: String, isReadable: Bool) {
    let workdir = try Workdir()
    var run = InspectRun(inputs: [try workdir.write(file, to: "file")])
    run.format = format
    var text = ""
    let counts = try run.run { text += $0 }
    #expect(counts.accepted + counts.refused == 1)
    return (text.replacing(workdir.path("file"), with: "file"), counts.refused == 0)
}

func object(_ text: String) throws -> Object {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
}

extension Object {
    func objects(_ key: String) -> [Object] { self[key] as? [Object] ?? [] }
    func object(_ key: String) -> Object { self[key] as? Object ?? [:] }

    /// The rules of step 1 by what became of them, such as `ok`.
    var rules: [String] { (objects("steps").first ?? [:]).objects("rules").map { $0["standing"] as? String ?? "" } }
}
