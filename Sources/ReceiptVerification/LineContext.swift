internal import MillBytes
internal import MillJSON
package import ReceiptFormat
package import ReceiptTrust

/// What a line states besides a document, as ranges of the buffer into which the line was decoded.
package struct LineContext {
    package var device: ByteRange?
    package var claim = DeviceChecker.Claim.none
    /// The device's verification identifier, which is never stored.
    package var deviceVerification: ByteRange?
    package var account: ByteRange?
    package var submittedAt: Int64?

    package init() {}
}

/// Copies what a line states besides its documents.
///
/// A value that applies to several documents in succession is copied once: a line of a thousand documents may have one
/// account of a megabyte.
struct LineContextCopier {
    private var stated = ScannedDocument.Context()
    private var context = LineContext()

    /// - Parameter text: the buffer of the line.
    mutating func context(
        _ next: ScannedDocument.Context, of line: ScannedLine, _ text: [UInt8], in buffer: inout ByteBuffer
    ) -> LineContext {
        if !Self.isSame(next.device, stated.device) {
            context.device = Self.store(next.device, of: line, text, in: &buffer)
            context.claim = Self.claim(next.device, stored: context.device, in: buffer.span)
        }
        if !Self.isSame(next.deviceVerification, stated.deviceVerification) {
            context.deviceVerification = Self.store(next.deviceVerification, of: line, text, in: &buffer)
        }
        if !Self.isSame(next.account, stated.account) {
            context.account = Self.store(next.account, of: line, text, in: &buffer)
        }
        if !Self.isSame(next.time, stated.time) {
            context.submittedAt = next.time.flatMap {
                SubmissionTime.milliseconds($0.token, in: line.buffer(of: $0, in: text))
            }
        }
        stated = next
        return context
    }

    private static func isSame(_ value: ScannedValue?, _ other: ScannedValue?) -> Bool {
        guard let value, let other else { return value == nil && other == nil }
        return value.isSame(as: other)
    }

    /// Copies a text without escapes, or the characters of a number; returns nil if the value is empty or of another
    /// type.
    private static func store(
        _ value: ScannedValue?, of line: ScannedLine, _ text: [UInt8], in buffer: inout ByteBuffer
    ) -> ByteRange? {
        guard let value, value.token.kind == .string || value.token.kind == .number, !value.token.range.isEmpty else {
            return nil
        }
        let text = line.buffer(of: value, in: text)
        guard value.token.hasEscapes else { return buffer.append(text.span, in: value.token.range) }
        return JSONString.unescaped(text.span, in: value.token.range).map { buffer.append($0) }
    }

    private static func claim(
        _ value: ScannedValue?, stored: ByteRange?, in bytes: Span<UInt8>
    ) -> DeviceChecker.Claim {
        guard let token = value?.token, !(token.kind == .string && token.range.isEmpty) else { return .none }
        guard token.kind == .string, let stored, let device = DeviceIdentifier(parsing: bytes, in: stored) else {
            return .unreadable
        }
        return .device(device)
    }
}
