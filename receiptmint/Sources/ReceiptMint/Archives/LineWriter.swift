internal import Foundation

/// Writes a submission as a line of an archive, without its newline.
struct LineWriter {
    var random: SeededRandom

    mutating func line(_ submission: Submission) -> [UInt8] {
        let receipt = receiptText(submission)
        switch submission.form {
        case .bare: return receipt
        case .jsonString: return quote + receipt + quote
        default: break
        }
        var members: [(key: String, value: [UInt8])] = []
        let names = keys(submission.form)
        if submission.defect != .noReceipt {
            members.append((names.receipt, quote + receipt + quote))
        } else if !random.chance(0.5) {
            members.append((names.receipt, Array("null".utf8)))
        }
        if let deviceID = submission.deviceID {
            members.append((names.device, quoted(deviceID)))
        } else if random.chance(0.3) {
            members.append((names.device, Array("null".utf8)))
        }
        if let accountID = submission.accountID { members.append((names.account, quoted(accountID))) }
        members.append((names.time, quoted(submission.submittedAt.wholeSeconds)))
        if submission.form == .otherKeys {
            members.append(("client", Array(#"{"sdk":"4.2","tags":["a","b"],"beta":false}"#.utf8)))
            random.shuffle(&members)
        }
        let line = object(members, spaced: submission.form == .spaced)
        return submission.defect == .brokenJSON ? broken(line) : line
    }

    private let quote: [UInt8] = Array("\"".utf8)

    private func quoted(_ text: String) -> [UInt8] { quote + Array(text.utf8) + quote }

    private mutating func keys(_ form: LineForm) -> (receipt: String, device: String, account: String, time: String) {
        guard form == .otherKeys else { return ("receipt", "device_id", "account_id", "submitted_at") }
        return (
            random.pick(["receipt_data", "receipt-data", "receiptData"]), random.pick(["deviceId", "idfv", "guid"]),
            random.pick(["accountId", "user_id", "userId"]), random.pick(["received_at", "timestamp"])
        )
    }

    private mutating func receiptText(_ submission: Submission) -> [UInt8] {
        var text = [UInt8](Data(submission.receipt.encoded).base64EncodedData())
        switch submission.defect {
        case .truncatedBase64:
            // One character beyond a whole group holds six bits, less than a byte.
            return Array(text.prefix(text.count / 4 * random.int(1...3) / 4 * 4 + 1))
        case .truncatedContainer:
            return Array(text.prefix(text.count / 8 * 4))
        default: break
        }
        switch submission.form {
        case .urlSafe:
            text.removeAll { $0 == UInt8(ascii: "=") }
            text = Self.replacing(Self.replacing(text, "+", "-"), "/", "_")
        case .unpadded: text.removeAll { $0 == UInt8(ascii: "=") }
        case .escapedSlashes: text = text.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
        default: break
        }
        return text
    }

    private func object(_ members: [(key: String, value: [UInt8])], spaced: Bool) -> [UInt8] {
        let (open, comma, colon, close) = spaced ? ("{ ", " ,\t", " : ", " } ") : ("{", ",", ":", "}")
        var bytes = Array(open.utf8)
        for (index, member) in members.enumerated() {
            if index > 0 { bytes += comma.utf8 }
            bytes += quoted(member.key)
            bytes += colon.utf8
            bytes += member.value
        }
        bytes += close.utf8
        return bytes
    }

    /// No JSON in any reader's eyes. The line still begins like an object, else
    /// it would be a bare receipt with bad base64.
    private mutating func broken(_ line: [UInt8]) -> [UInt8] {
        switch random.below(4) {
        case 0: return Array(line.prefix(line.count / 2))
        case 1: return Array(line.dropLast())
        case 2: return Self.replacing(line, ":", ";")
        default: return Self.replacing(line, "\"", "'")
        }
    }

    private static func replacing(_ text: [UInt8], _ old: Unicode.Scalar, _ new: Unicode.Scalar) -> [UInt8] {
        text.map { $0 == UInt8(ascii: old) ? UInt8(ascii: new) : $0 }
    }
}
