import ReceiptFormat
import Testing

@testable import SignedDataFormat

/// A payload, and the buffer that its texts are ranges of.
struct ReadPayload {
    let payload: SignedPayload
    let bytes: [UInt8]

    init(_ json: [UInt8]) throws {
        // Something stands before, as in the buffers of workers.
        let buffer = Array("before".utf8) + json
        let parsed = try SignedPayloadParser.parse(buffer.span, in: ByteRange(offset: 6, count: json.count))
        payload = parsed.payload
        bytes = buffer + parsed.appended
    }

    init(_ json: String) throws { try self.init(Array(json.utf8)) }

    func text(_ range: ByteRange?) -> String? {
        range.map { String(decoding: bytes[$0.indices], as: UTF8.self) }
    }

    func text(_ field: TextField) -> String? { text(payload[field]) }

    /// The text of a field by its name in JSON.
    func text(named name: String) -> String? { text(payload.text(name)) }
}

/// Which part of a payload is at fault; nil where it is read.
func fault(_ json: [UInt8]) -> MalformedSignedData.Part? {
    do {
        _ = try ReadPayload(json)
        return nil
    } catch {
        return (error as? MalformedSignedData)?.part
    }
}

/// What is wrong with a payload; nil where it is read.
func detail(_ json: [UInt8]) -> String? {
    do {
        _ = try ReadPayload(json)
        return nil
    } catch {
        return (error as? MalformedSignedData)?.what
    }
}

func fault(_ json: String) -> MalformedSignedData.Part? { fault(Array(json.utf8)) }
