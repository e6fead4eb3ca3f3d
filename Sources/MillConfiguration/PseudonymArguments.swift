package import MillSystem
package import ReceiptTrust

extension Pseudonyms {
    /// Reads a key file. Its bytes are the key, except for a newline at the end. It may contain several keys, the
    /// oldest first, separated by a line `---`.
    package init(keyFile path: String) throws(MillError) {
        let bytes = try UserFile.bytes(
            path, whatIfMissing: "the key can't be read", hint: "check the path and its permissions")
        let keys = Self.keys(in: bytes)
        guard let first = keys.first, var pseudonyms = Pseudonyms(key: first) else {
            throw Self.short(keys.first, path)
        }
        for key in keys.dropFirst() {
            guard let further = pseudonyms.followed(by: key) else { throw Self.short(key, path) }
            pseudonyms = further
        }
        self = pseudonyms
    }

    private static func keys(in bytes: [UInt8]) -> [[UInt8]] {
        let newline = UInt8(ascii: "\n")
        var keys: [[UInt8]] = [[]]
        for line in bytes.split(separator: newline, omittingEmptySubsequences: false) {
            if line.elementsEqual("---".utf8) || line.elementsEqual("---\r".utf8) {
                keys.append([])
            } else {
                keys[keys.count - 1] += line + [newline]
            }
        }
        return keys.map { key in
            Array(key.prefix((key.lastIndex { $0 != newline && $0 != UInt8(ascii: "\r") } ?? -1) + 1))
        }
    }

    private static func short(_ key: [UInt8]?, _ path: String) -> MillError {
        MillError(
            stage: .configuring, path: path,
            what: "the key is shorter than \(Self.minimumKeyBytes) bytes: it has \(key?.count ?? 0)",
            hint: "openssl rand -hex 32 makes one", exitStatus: .configuration)
    }
}
