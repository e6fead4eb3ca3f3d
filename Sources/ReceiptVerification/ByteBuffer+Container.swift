package import ReceiptFormat

extension ByteBuffer {
    /// Reads an app receipt's container. Chunked content is joined at the end of the buffer, so that the content is one
    /// range.
    package mutating func container(at receipt: ByteRange) throws(Unreadable) -> Container {
        do throws(MalformedReceipt) {
            var reader = ByteReader(span, in: receipt)
            var container = try Container(parsing: &reader)
            if container.content.isFragmented {
                container.content = OctetString(
                    range: try appendBytes(of: container.content), isFragmented: false)
            }
            return container
        } catch {
            throw Unreadable(container: error, of: receipt)
        }
    }
}

extension Unreadable {
    /// The reason why a receipt's container can't be read.
    package init(container fault: MalformedReceipt, of receipt: ByteRange) {
        self.init(Self.reason(ofContainer: fault), fault.description(relativeTo: receipt.offset))
    }

    /// The reason why the content of a receipt's container can't be read. Offsets are counted from the start of the
    /// receipt, or for chunked content from the start of the joined content.
    package init(payload fault: MalformedReceipt, in content: ByteRange, of receipt: ByteRange) {
        let isWithin = receipt.indices.contains(content.offset)
        self.init(.malformedPayload, fault.description(relativeTo: isWithin ? receipt.offset : content.offset))
    }

    package static func reason(ofContainer fault: MalformedReceipt) -> RejectionReason {
        fault.isUnsupportedKind ? .unsupportedKind : .malformedContainer
    }
}
