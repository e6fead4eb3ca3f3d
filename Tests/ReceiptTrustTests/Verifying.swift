import ReceiptFormat
import ReceiptTrust

/// A container and its payload: the content joined, the date parsed.
struct ReadReceipt {
    let bytes: [UInt8]
    let container: Container
    let app: AppReceipt

    init(_ receipt: [UInt8]) throws {
        var reader = ByteReader(receipt.span)
        var container = try Container(parsing: &reader)
        var bytes = receipt
        if container.content.isFragmented {
            try reader.appendBytes(of: container.content, to: &bytes)
            container.content = OctetString(
                range: ByteRange(offset: receipt.count, count: bytes.count - receipt.count), isFragmented: false)
        }
        var payload = ByteReader(bytes.span, in: container.content.range)
        var purchases: [InAppPurchase] = []
        app = try AppReceipt(parsing: &payload, purchases: &purchases)
        self.bytes = bytes
        self.container = container
    }

    func verify(with verifier: Verifier) throws -> Verification {
        try verifier.verify(container, in: bytes.span, createdAt: app.receiptCreationDate)
    }
}

extension TrustAnchors {
    /// Anchors given as certificates.
    init(files: [UInt8]...) throws {
        self.init()
        for file in files { _ = try insertCertificates(of: file) }
    }

    /// Anchors known by fingerprint alone, as OpenSSL's tool writes it.
    init(fingerprint hex: String) {
        self.init()
        if let digest = SHA256Digest(hex: hex) { insert(digest) }
    }
}

func verify(_ receipt: [UInt8], trusting anchors: TrustAnchors) throws -> Verification {
    try ReadReceipt(receipt).verify(with: Verifier(anchors: anchors))
}
