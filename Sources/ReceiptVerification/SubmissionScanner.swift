internal import MillBytes
package import MillJSON
internal import ReceiptFormat
internal import SignedDataFormat

/// The parts of a line, as ranges in it.
package struct ScannedLine {
    /// The documents that the store signed, in the order of the line; at least one.
    package var documents: [JSONToken]
    package var device: JSONToken?
    package var deviceVerification: JSONToken?
    package var account: JSONToken?
    package var time: JSONToken?
}

/// Finds the documents and their context in a line: a JSON object, a JSON string,
/// or bare text. The form of a document decides whether it is read as a receipt or as a signed string.
package struct SubmissionScanner {
    private enum LineField {
        case receipt, device, deviceVerification, account, time
    }

    private struct LineKey {
        let name: String
        let field: LineField
        /// The index of the key in the field's list; the smallest wins.
        let rank: Int
    }

    /// The keys that are read, and their names for looking them up. A key of signed data is never a
    /// key of receipts, too.
    private let keys: [LineKey]
    private let names: KeyTable
    private static let deviceVerificationKeys = ["device_verification_id", "deviceVerificationID"]

    package init(keys: LineKeys) {
        func named(_ names: [String], _ field: LineField) -> [LineKey] {
            names.enumerated().map { LineKey(name: $1, field: field, rank: $0) }
        }
        let keys =
            named(keys.receipt, .receipt) + named(keys.device, .device) + named(keys.account, .account)
            + named(keys.time, .time) + named(Self.deviceVerificationKeys, .deviceVerification)
        names = KeyTable(keys.map(\.name))
        self.keys = keys
    }

    /// Scans one line, without its newline.
    package func scan(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Unreadable) -> ScannedLine {
        var line = line
        // Some exports put a byte order mark before the first line.
        if line.count >= 3, bytes[line.lowerBound] == 0xef, bytes[line.lowerBound + 1] == 0xbb,
            bytes[line.lowerBound + 2] == 0xbf
        {
            line = (line.lowerBound + 3)..<line.upperBound
        }
        do throws(InvalidJSON) {
            var cursor = try JSONCursor(line: bytes, line)
            cursor.skipWhitespace()
            switch cursor.next {
            case nil: break
            case UInt8(ascii: "{"):
                if let scanned = try object(&cursor, bytes) { return scanned }
            case UInt8(ascii: "\""):
                let token = try cursor.readString()
                try Self.requireEnd(&cursor)
                if !token.range.isEmpty { return ScannedLine(documents: [token]) }
            default:
                // The line may be a JSON value of another kind, which looks like base64: null, 12.
                var probe = cursor
                if (try? probe.readValue()) != nil {
                    probe.skipWhitespace()
                    if probe.isAtEnd { break }
                }
                return ScannedLine(documents: [try Self.bare(bytes, line, &cursor)])
            }
        } catch {
            throw Unreadable(.invalidJSON, "\(error.what) (character \(error.offset + 1))")
        }
        throw Unreadable(
            .noReceipt,
            line.isEmpty ? "the line is empty" : "no text under \(receiptKeys), nor under a key of signed data")
    }

    private var receiptKeys: String {
        keys.filter { $0.field == .receipt }.map(\.name).joined(separator: ", ")
    }

    private static func requireEnd(_ cursor: inout JSONCursor) throws(InvalidJSON) {
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the value") }
    }

    /// The text of a line that is base64 or a signed string alone. A line with any other character
    /// was never meant as either.
    private static func bare(
        _ bytes: Span<UInt8>, _ line: Range<Int>, _ cursor: inout JSONCursor
    ) throws(InvalidJSON) -> JSONToken {
        for index in line {
            switch bytes[index] {
            case _ where Base64.value(of: bytes[index]) != nil: continue
            case UInt8(ascii: "="), UInt8(ascii: "."), 0x20, 0x09, 0x0d: continue
            default:
                throw InvalidJSON(
                    what: "neither a JSON object, a JSON string, bare base64 nor a signed string",
                    offset: index - line.lowerBound)
            }
        }
        return JSONToken(kind: .string, range: ErasedLines.content(of: bytes, line))
    }

    /// Reads the documents and the context of an object; nil where it holds no document.
    private func object(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(InvalidJSON) -> ScannedLine? {
        var receipt: (token: JSONToken, rank: Int)?
        var signed: [JSONToken] = []
        var device: (token: JSONToken, rank: Int)?
        var deviceVerification: (token: JSONToken, rank: Int)?
        var account: (token: JSONToken, rank: Int)?
        var time: (token: JSONToken, rank: Int)?
        func choose(_ chosen: inout (token: JSONToken, rank: Int)?, _ token: JSONToken, _ rank: Int) {
            if let rankBefore = chosen?.rank, rankBefore < rank { return }
            chosen = (token, rank)
        }
        var isFirst = true
        while let key = try cursor.nextKey(&isFirst) {
            let place = SignedPlace.place(under: key, bytes)
            let found = key.number(in: names, bytes).map { keys[$0] }
            guard let known = found, known.field != .receipt || place == nil else {
                if let place {
                    try place.collect(&cursor, depth: 1, into: &signed)
                } else {
                    _ = try cursor.readValue(depth: 1)
                }
                continue
            }
            let value = try cursor.readValue(depth: 1)
            // An empty text counts as absent, and only a text can be a receipt, so that another key
            // may still hold one.
            guard value.kind != .null, !(value.kind == .string && value.range.isEmpty),
                known.field != .receipt || value.kind == .string
            else { continue }
            switch known.field {
            case .receipt:
                // The receipt under the first key counts, where there are several; every signed
                // string counts.
                if let former = receipt, Self.isSignedString(former.token, bytes) {
                    signed.append(former.token)
                    receipt = (value, known.rank)
                } else if receipt != nil, Self.isSignedString(value, bytes) {
                    signed.append(value)
                } else {
                    choose(&receipt, value, known.rank)
                }
            case .deviceVerification: choose(&deviceVerification, value, known.rank)
            case .device: choose(&device, value, known.rank)
            case .account: choose(&account, value, known.rank)
            case .time: choose(&time, value, known.rank)
            }
        }
        try Self.requireEnd(&cursor)
        if let receipt { signed.append(receipt.token) }
        guard !signed.isEmpty else { return nil }
        if signed.count > 1 { signed.sort { $0.range.lowerBound < $1.range.lowerBound } }
        return ScannedLine(
            documents: signed, device: device?.token, deviceVerification: deviceVerification?.token,
            account: account?.token, time: time?.token)
    }

    private static func isSignedString(_ token: JSONToken, _ bytes: Span<UInt8>) -> Bool {
        guard token.hasEscapes else { return SignedString.isSignedString(bytes, in: token.range) }
        let text = JSONString.unescaped(bytes, in: token.range) ?? []
        return SignedString.isSignedString(text.span, in: text.indices)
    }
}
