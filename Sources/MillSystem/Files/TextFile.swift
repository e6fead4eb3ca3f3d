internal import Foundation

/// Reads a user's small text file as a whole: UTF-8, with or without a byte order mark, with the line ends of any
/// system.
package enum TextFile {
    /// The reason why a file can't be read as text.
    package struct Fault: Error, Hashable {
        /// The line with the fault, from 1; nil if the fault concerns the whole file.
        package var line: Int?
        package var what: String
        package var hint: String
        /// Whether the file can't be read at all; otherwise it is not a text.
        package var isMissing = false
    }

    /// - Parameter maximum: a size in bytes that no sensible file of this kind exceeds.
    /// - Returns: the text without a byte order mark, and with a line feed at the end of each line, whatever ended the
    ///   line in the file.
    package static func read(_ path: String, atMost maximum: Int) throws(Fault) -> String {
        try text(of: bytes(path, atMost: maximum))
    }

    /// The text of a file's bytes, in the form that ``read(_:atMost:)`` returns.
    package static func text(of bytes: [UInt8]) throws(Fault) -> String {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw Fault(line: 1, what: "the file is UTF-16", hint: "save it as UTF-8")
        }
        let marked = bytes.starts(with: [0xef, 0xbb, 0xbf])
        var clean: [UInt8] = []
        clean.reserveCapacity(bytes.count)
        var previous: UInt8?
        for byte in bytes.dropFirst(marked ? 3 : 0) {
            if byte == 0x0d || (byte == 0x0a && previous != 0x0d) {
                clean.append(0x0a)
            } else if byte != 0x0a {
                clean.append(byte)
            }
            previous = byte
        }
        if let text = String(validating: clean, as: UTF8.self), !clean.contains(0) { return text }
        // In UTF-8, a line feed is not part of any other character, so lines can be split before they are checked.
        let lines = clean.split(separator: 0x0a, omittingEmptySubsequences: false)
        let broken = lines.firstIndex { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil }
        let isNull = broken.map { lines[$0].contains(0) } ?? false
        throw Fault(
            line: broken.map { $0 + 1 }, what: isNull ? "the line holds a null character" : "the line is not UTF-8",
            hint: isNull ? "take it out; is this a text file?" : "save the file as UTF-8")
    }

    private static func bytes(_ path: String, atMost maximum: Int) throws(Fault) -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            var bytes: [UInt8] = []
            while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
                bytes += chunk
                guard bytes.count <= maximum else {
                    throw Fault(what: "the file has more than \(maximum >> 20) MiB", hint: "is this the right file?")
                }
            }
            return bytes
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(what: "the file can't be read", hint: "check the path and its permissions", isMissing: true)
        }
    }
}
