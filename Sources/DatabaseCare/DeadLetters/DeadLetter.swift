internal import Foundation
package import MillJSON
package import MillSystem
internal import ReceiptFormat
package import ReceiptTrust
package import ReceiptWarehouse

/// One line of a dead-letter file: a rejected line, unchanged or corrected.
package struct DeadLetter: Sendable {
    /// SHA-256 of the archive, or of its content before lines were appended.
    package let archive: SHA256Digest
    /// Number of the line in the archive, from 1.
    package let line: Int64
    /// The line without its newline.
    package let text: [UInt8]
    /// SHA-256 of the line as it was rejected, before any correction; nil if the dead-letter file does not state it.
    let former: SHA256Digest?

    /// Whether the line is still the rejected one; false if no digest of the rejected line is stated.
    package func isUnchanged() throws(MillError) -> Bool {
        guard let former else { return false }
        return try MillError.wrapping(at: .reading) { () throws(OpenSSLError) in
            try MessageDigest().sha256(text.span, in: text.indices) == former
        }
    }
}

extension DeadLetter {
    /// Reads one line of a dead-letter file: an object with the member `rejected`, and either `line` or `line_base64`, in
    /// any order. Other members are ignored.
    package init(parsing bytes: Span<UInt8>, in range: Range<Int>) throws(InvalidJSON) {
        var cursor = try JSONCursor(line: bytes, range)
        var rejected: (archive: SHA256Digest, line: Int64, former: SHA256Digest?)?
        var text: [UInt8]?
        var isFirst = true
        cursor.skipWhitespace()
        while let key = try cursor.nextKey(&isFirst) {
            switch try Self.text(key, bytes, cursor) {
            case "rejected":
                guard rejected == nil else { throw cursor.failure("rejected stands twice") }
                rejected = try Self.rejected(&cursor, bytes)
            case "line", "line_base64":
                guard text == nil else { throw cursor.failure("more than one of line and line_base64") }
                text = try Self.line(&cursor, bytes, isBase64: Self.text(key, bytes, cursor) == "line_base64")
            default: _ = try cursor.readValue(depth: 1)
            }
        }
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.failure("text follows the object") }
        guard let rejected else { throw cursor.failure("no rejected, which says whose line this is") }
        guard let text else { throw cursor.failure("neither line nor line_base64") }
        (archive, line, former) = rejected
        self.text = text
    }

    private static func rejected(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(InvalidJSON) -> (archive: SHA256Digest, line: Int64, former: SHA256Digest?) {
        var archive: SHA256Digest?
        var former: SHA256Digest?
        var line: Int64?
        var isFirst = true
        while let key = try cursor.nextKey(&isFirst) {
            switch try text(key, bytes, cursor) {
            case "archive_sha256":
                let token = try cursor.readText()
                let value = try token.map { (token) throws(InvalidJSON) in try text(token, bytes, cursor) }
                guard archive == nil, let value, let digest = SHA256Digest(hex: value.string) else {
                    throw cursor.failure("archive_sha256 has to be 64 hexadecimal digits, once")
                }
                archive = digest
            case "line":
                // A submission's identifier has 32 bits for its line.
                guard line == nil, let value = try cursor.readInteger(), 1...Int64(UInt32.max) ~= value else {
                    throw cursor.failure("line of rejected has to be a line's number, once")
                }
                line = value
            case "line_sha256":
                // A digest is optional, so a malformed one does not make the whole object invalid.
                let token = try cursor.readValue(depth: 2)
                if token.kind == .string { former = SHA256Digest(hex: try text(token, bytes, cursor).string) }
            default: _ = try cursor.readValue(depth: 2)
            }
        }
        guard let archive, let line else { throw cursor.failure("rejected has to hold archive_sha256 and line") }
        return (archive, line, former)
    }

    /// Reads the rejected line. Newlines, which editors and formatters insert, become spaces: both are white space in
    /// JSON, and a line of an archive contains no newline.
    private static func line(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>, isBase64: Bool
    ) throws(InvalidJSON) -> [UInt8] {
        let token = try cursor.readValue(depth: 1)
        guard token.kind == .string else { throw cursor.failure("the line has to be a string") }
        guard var text = JSONString.unescaped(bytes, in: token.range) else {
            throw cursor.failure("half a surrogate pair in the line")
        }
        if isBase64 {
            guard let decoded = Data(base64Encoded: Data(text)) else {
                throw cursor.failure("line_base64 is no base64")
            }
            text = [UInt8](decoded)
        }
        let newline = UInt8(ascii: "\n")
        for index in text.indices where text[index] == newline { text[index] = UInt8(ascii: " ") }
        return text
    }

    /// The text of a key, or of a short value.
    private static func text(
        _ token: JSONToken, _ bytes: Span<UInt8>, _ cursor: borrowing JSONCursor
    ) throws(InvalidJSON) -> DocumentText {
        guard let text = JSONString.unescaped(bytes, in: token.range) else {
            throw cursor.failure("half a surrogate pair")
        }
        return DocumentText(decoding: text)
    }
}

extension DeadLetter {
    /// Writes a rejected line that the database keeps to a dead-letter file.
    package static func write(_ kept: KeptLine, to json: inout JSONWriter) {
        json.open()
        json.open("rejected")
        json.member("archive_sha256", kept.archive.hex)
        json.member("archive", kept.archiveName)
        json.member("line", kept.line)
        if let document = kept.document { json.member("document", document) }
        json.member("reason", kept.reason)
        json.member("detail", kept.detail)
        if let digest = kept.digest { json.member("line_sha256", digest.hex) }
        json.close()
        kept.text.withUnsafeBufferPointer { bytes in
            if UTF8Validation.isValid(bytes.span, in: ByteRange(offset: 0, count: bytes.count)) {
                json.key("line")
                json.string { $0.appendEscaped(bytes) }
            } else {
                json.key("line_base64")
                json.string { $0.appendBase64(bytes) }
            }
        }
        json.close()
        json.endLine()
    }
}
