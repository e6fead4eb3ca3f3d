/// Writes a submission as a line of an archive, without its newline.
struct LineWriter {
    var random: SeededRandom

    mutating func line(_ submission: Submission) -> [UInt8] {
        let text = receiptText(submission)
        let receipt = WrittenJSON(json: Array("\"".utf8) + text + "\"".utf8)
        switch submission.form {
        case .bare: return text
        case .jsonString: return receipt.json
        default: break
        }
        let null = WrittenJSON(json: Array("null".utf8))
        let (names, shown) = (keys(submission.form), submission.shown)
        // What is absent is left out, or null.
        let stated = submission.defect != .noReceipt ? receipt : random.chance(0.5) ? nil : null
        let device = shown.deviceID.map { WrittenJSON(json: $0.json) } ?? (random.chance(0.3) ? null : nil)
        var json: JSONText = [
            names.receipt: stated, names.device: device, names.account: shown.accountID,
            names.time: submission.at.wholeSeconds,
        ]
        if submission.form == .otherKeys {
            json.add("client", WrittenJSON(json: Array(#"{"sdk":"4.2","tags":["a","b"],"beta":false}"#.utf8)))
            random.shuffle(&json.members)
        }
        let isSpaced = submission.form == .spaced
        let line = isSpaced ? json.text(open: "{ ", comma: " ,\t", colon: " : ", close: " } ") : json.json
        return submission.defect == .brokenJSON ? broken(line) : line
    }

    private mutating func keys(_ form: LineForm) -> (receipt: String, device: String, account: String, time: String) {
        guard form == .otherKeys else { return ("receipt", "device_id", "account_id", "submitted_at") }
        return (
            random.pick(["receipt_data", "receipt-data", "receiptData"]), random.pick(["deviceId", "idfv", "guid"]),
            random.pick(["accountId", "user_id", "userId"]), random.pick(["received_at", "timestamp"])
        )
    }

    private mutating func receiptText(_ submission: Submission) -> [UInt8] {
        var text = Array(Base64.standard(submission.receipt.encoded).utf8)
        switch submission.defect {
        case .truncatedBase64:
            // One character beyond a whole group holds six bits, less than a byte.
            return Array(text.prefix(text.count / 4 * random.int(1...3) / 4 * 4 + 1))
        case .truncatedContainer:
            return Array(text.prefix(text.count / 8 * 4))
        default: break
        }
        switch submission.form {
        case .urlSafe: return Base64.url(submission.receipt.encoded)
        case .unpadded: text.removeAll { $0 == UInt8(ascii: "=") }
        case .escapedSlashes: text = text.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
        default: break
        }
        return text
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
