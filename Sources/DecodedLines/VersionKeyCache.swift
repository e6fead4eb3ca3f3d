internal import MillBytes
internal import MillJSON
internal import ReceiptFormat
internal import ReceiptVerification

/// A cache of version keys as JSON, because versions repeat and a key takes long to compute.
struct VersionKeyCache {
    private var indices = InternTable()
    private var keys: [[UInt8]] = []

    /// The maximum number of cached versions, and of bytes of a version. Real versions are short and number some
    /// hundreds, but invented ones must not fill the memory.
    private static let capacity = 4096
    private static let longestText = 64

    mutating func write(_ version: UnsafeBufferPointer<UInt8>, to json: inout JSONWriter) {
        guard version.count <= Self.longestText else { return json.value(Self.key(version)) }
        if keys.count >= Self.capacity { self = VersionKeyCache() }
        let index = indices.number(of: version) {
            var text = JSONWriter()
            text.value(Self.key(version))
            keys.append(text.bytes)
            return Int64(keys.count - 1)
        }
        json.written(keys[Int(index)])
    }

    private static func key(_ version: UnsafeBufferPointer<UInt8>) -> String {
        VersionKey.key(DocumentText(decoding: version)).string
    }
}
