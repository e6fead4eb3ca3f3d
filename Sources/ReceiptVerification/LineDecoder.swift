internal import MillJSON
package import MillSystem
package import ReceiptFormat
package import ReceiptTrust

/// A line whose receipt is decoded, before it is known whether it is new.
package struct DecodedLine {
    /// Index among the batch's lines.
    package let line: Int
    package let receipt: ByteRange
    package let digest: SHA256Digest
    package let device: ByteRange?
    package let claim: DeviceChecker.Claim
    package let account: ByteRange?
    package let submittedAt: Int64?

    package init(
        line: Int, receipt: ByteRange, digest: SHA256Digest, device: ByteRange? = nil,
        claim: DeviceChecker.Claim = .none, account: ByteRange? = nil, submittedAt: Int64? = nil
    ) {
        (self.line, self.receipt, self.digest, self.device, self.claim) = (line, receipt, digest, device, claim)
        (self.account, self.submittedAt) = (account, submittedAt)
    }
}

/// Turns lines into receipts' bytes: scan, base64, SHA-256.
package struct LineDecoder {
    private let scanner: SubmissionScanner
    private let limits: Limits
    private let digest: MessageDigest
    /// Bytes of a line with a receipt of a few purchases.
    private static let usualLineBytes = 4 << 10

    package init(keys: LineKeys, limits: Limits) throws(OpenSSLError) {
        scanner = SubmissionScanner(keys: keys)
        self.limits = limits
        digest = try MessageDigest()
    }

    /// Decodes the lines of `text` into `buffer`. Lines that can't be decoded
    /// become rejections of `verified`, which counts them all.
    package func decode(
        _ text: [UInt8], into buffer: inout ByteBuffer, counting verified: inout VerifiedBatch
    ) throws(OpenSSLError) -> [DecodedLine] {
        var decoded: [DecodedLine] = []
        decoded.reserveCapacity(text.count / Self.usualLineBytes)
        var start = 0
        while start < text.count {
            let newline = ByteSearch.firstIndex(of: UInt8(ascii: "\n"), in: text.span, start..<text.count)
            let line = start..<(newline ?? text.count)
            let parts: (scanned: ScannedLine, receipt: ByteRange)?
            do throws(Unreadable) {
                parts = try decode(text, line, into: &buffer)
            } catch {
                verified.rejections.append(Rejection(line: verified.lineCount, cause: error))
                parts = nil
            }
            if let parts {
                let device = store(parts.scanned.device, of: text, in: &buffer)
                decoded.append(
                    DecodedLine(
                        line: verified.lineCount, receipt: parts.receipt,
                        digest: try digest.sha256(buffer.span, in: parts.receipt.indices), device: device,
                        claim: claim(parts.scanned.device, stored: device, in: buffer.span),
                        account: store(parts.scanned.account, of: text, in: &buffer),
                        submittedAt: SubmissionTime.milliseconds(parts.scanned.time, in: text)))
            }
            verified.lineCount += 1
            start = line.upperBound + 1
        }
        return decoded
    }

    package func overlong(_ bytes: Int) -> Unreadable {
        Unreadable(.lineTooLong, "\(bytes) bytes where \(limits.lineBytes) are allowed")
    }

    private func decode(
        _ text: [UInt8], _ line: Range<Int>, into buffer: inout ByteBuffer
    ) throws(Unreadable) -> (scanned: ScannedLine, receipt: ByteRange) {
        guard line.count <= limits.lineBytes else { throw overlong(line.count) }
        let scanned = try scanner.scan(text.span, line)
        let token = scanned.receipt
        let unescaped = token.hasEscapes ? JSONString.unescaped(text.span, in: token.range) : nil
        let receipt: ByteRange?
        if token.hasEscapes {
            receipt = unescaped.flatMap { buffer.appendBase64($0.span, in: $0.indices) }
        } else {
            receipt = buffer.appendBase64(text.span, in: token.range)
        }
        guard let receipt else {
            throw Unreadable(.invalidBase64, Base64Fault.description(unescaped ?? Array(text[token.range])))
        }
        guard receipt.count <= limits.receiptBytes else {
            throw Unreadable(.malformedContainer, "\(receipt.count) bytes where \(limits.receiptBytes) are allowed")
        }
        return (scanned, receipt)
    }

    /// Copies a text or a number as it is written; nil where it is empty or
    /// neither.
    private func store(_ token: JSONToken?, of text: [UInt8], in buffer: inout ByteBuffer) -> ByteRange? {
        guard let token, token.kind == .string || token.kind == .number, !token.range.isEmpty else { return nil }
        guard token.hasEscapes else { return buffer.append(text.span, in: token.range) }
        return JSONString.unescaped(text.span, in: token.range).map { buffer.append($0) }
    }

    private func claim(_ token: JSONToken?, stored: ByteRange?, in bytes: Span<UInt8>) -> DeviceChecker.Claim {
        guard let token, !(token.kind == .string && token.range.isEmpty) else { return .none }
        guard token.kind == .string, let stored, let device = DeviceIdentifier(parsing: bytes, in: stored) else {
            return .unreadable
        }
        return .device(device)
    }
}
