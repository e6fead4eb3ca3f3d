import Foundation
import MillTestSupport
import ReceiptMint
import ReceiptTrust
import TestSupport

/// Archives of signed strings: minted ones with every defect, and one whose lines hold
/// several documents, some of which can't be read.
final class SignedArchives: Sendable {
    let workdir: Workdir
    let archives: [String]
    let anchors: TrustAnchors
    /// The archive of lines with several documents.
    let several: String

    static let shared = Result { try SignedArchives() }

    private init() throws {
        workdir = try Workdir()
        var parameters = MintParameters()
        parameters.seed = 20_240_301
        parameters.count = 400
        parameters.signed = 0.8
        parameters.archives = 2
        for defect in SignedDefect.allCases { parameters.signedShares[defect] = 0.02 }
        parameters.jobs = 2
        let folder = workdir
        let truth = try MintRun(parameters).run(into: folder.url)
        var anchors = TrustAnchors()
        _ = try anchors.insertCertificates(of: folder.read(truth.anchor))
        self.anchors = anchors
        let minted = truth.archives.map { folder.path($0.name) }
        let lines = try truth.archives.flatMap { archive in
            try Gzip.recover(folder.read(archive.name), in: folder).output.split(separator: UInt8(ascii: "\n"))
        }
        several = try folder.write(Self.severalLines(lines), to: "several.jsonl")
        archives = minted + [several]
    }

    private static func severalLines(_ lines: [ArraySlice<UInt8>]) throws -> String {
        var (signed, receipts, notifications): ([String], [String], [String]) = ([], [], [])
        for line in lines {
            guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else { continue }
            if let text = object["signedPayload"] as? String { notifications.append(text) }
            guard let text = object["receipt"] as? String else { continue }
            if text.split(separator: ".").count == 3 { signed.append(text) } else { receipts.append(text) }
        }
        var found: [[String: Any]] = []
        for (number, notification) in notifications.prefix(40).enumerated() {
            let one = signed[2 * number % signed.count]
            let (two, three) = (signed[(2 * number + 1) % signed.count], signed[(2 * number + 2) % signed.count])
            let receipt = receipts[number % receipts.count]
            switch number % 8 {
            case 0: found.append(["signedTransactions": [one, two, one, three], "account_id": "a"])
            case 1: found.append(["receipt": receipt, "jws": one, "signedPayload": notification, "device_id": "x"])
            case 2: found.append(["notificationHistory": [["signedPayload": notification], ["signedPayload": two]]])
            case 3: found.append(["receipt": "****", "jws": one, "latest_receipt": "a.b.c", "account_id": "b"])
            case 4: found.append(["receipt": receipt, "jws": "a.b.c", "latest_receipt": "AAAA"])
            case 5: found.append(["signedPayload": holding(notification, "signedRenewalInfo", "a.b.c"), "jws": one])
            case 6: found.append(["signedPayload": holding(notification, "signedTransactionInfo", "q.r")])
            default: found.append(["data": [["lastTransactions": [["signedTransactionInfo": one]]]]])
            }
            // Again, alone: its receipt and parts are known then.
            found.append(["signedPayload": notification])
            let request: [String: Any] = ["fetch_token": two, "token": receipt, "user_id": "c", "jws": "a.b.c"]
            let json = try JSONSerialization.data(withJSONObject: request, options: .sortedKeys)
            let text = String(decoding: json, as: UTF8.self)
            switch number % 4 {
            case 0: found.append(["body": text, "device_id": "y", "response": [["signedTransactionInfo": one]]])
            case 1: found.append(["data": [["jws": one, "userId": "d"], ["receipt": receipt, "guid": "z"]]])
            case 2: found.append(["requestBody": String(text.dropLast()), "jws": three])
            default: found.append(["purchaseToken": "gibberish.AO-J1O", "token": "eyJhbGciOiJIUzI1NiJ9.e30.x"])
            }
        }
        let texts = try found.map { object in
            String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
        }
        return texts.map { $0 + "\n" }.joined()
    }

    /// A notification that holds something else under a name; its signature is wrong then.
    private static func holding(_ notification: String, _ name: String, _ text: String) -> String {
        var parts = notification.split(separator: ".").map(String.init)
        let padded = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        let base64 = padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)
        guard let json = Data(base64Encoded: base64),
            var payload = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
        else { return notification }
        var data = payload["data"] as? [String: Any] ?? [:]
        data[name] = text
        payload["data"] = data
        guard let changed = try? JSONSerialization.data(withJSONObject: payload) else { return notification }
        parts[1] = changed.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
        return parts.joined(separator: ".")
    }
}
