package import MillSystem
package import ReceiptTrust

extension Pseudonyms {
    /// Reads a key file, whose bytes are the key but for a newline at the end.
    package init(keyFile path: String) throws(MillError) {
        var key = try UserFile.bytes(
            path, whatIfMissing: "the key can't be read", hint: "check the path and its permissions")
        while let last = key.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { key.removeLast() }
        guard let pseudonyms = Pseudonyms(key: key) else {
            throw MillError(
                stage: .configuring, path: path,
                what: "the key has \(key.count) bytes where \(Self.leastKeyBytes) are the least",
                hint: "openssl rand -hex 32 makes one", exitStatus: .configuration)
        }
        self = pseudonyms
    }
}
