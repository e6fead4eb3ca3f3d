/// Object identifiers of the container, as the contents of their DER elements.
public enum ObjectIdentifier {
    /// 1.2.840.113549.1.7.1, pkcs7-data.
    public static let data: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1]
    /// 1.2.840.113549.1.7.2, pkcs7-signedData.
    public static let signedData: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2]
    /// 1.2.840.113549.1.9.3, the signed attribute contentType.
    public static let contentType: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 3]
    /// 1.2.840.113549.1.9.4, the signed attribute messageDigest.
    public static let messageDigest: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 4]
    /// 1.3.14.3.2.26, SHA-1.
    public static let sha1: [UInt8] = [0x2b, 0x0e, 3, 2, 0x1a]
    /// 2.16.840.1.101.3.4.2.1, SHA-256.
    public static let sha256: [UInt8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
    /// 1.2.840.113549.1.1.1, RSA without a stated digest.
    public static let rsaEncryption: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]
    /// 1.2.840.113549.1.1.5, RSASSA-PKCS1-v1_5 with SHA-1.
    public static let sha1WithRSAEncryption: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 5]
    /// 1.2.840.113549.1.1.11, RSASSA-PKCS1-v1_5 with SHA-256.
    public static let sha256WithRSAEncryption: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11]

    /// The dotted form of an object identifier's DER content (X.690, 8.19), for messages; `oversized` if a component
    /// doesn't fit into 64 bits.
    public static func dotted(_ bytes: Span<UInt8>, in range: ByteRange) -> String {
        var arcs: [String] = []
        var value: UInt64 = 0
        for index in range.indices where index < bytes.count {
            guard value <= UInt64.max >> 7 else { return "oversized" }
            value = value << 7 | UInt64(bytes[index] & 0x7f)
            guard bytes[index] & 0x80 == 0 else { continue }
            if arcs.isEmpty {
                let first = min(value / 40, 2)
                arcs.append(String(first))
                value -= first * 40
            }
            arcs.append(String(value))
            value = 0
        }
        return arcs.joined(separator: ".")
    }
}
