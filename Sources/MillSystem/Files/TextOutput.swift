internal import Foundation

/// The reader of our output has closed it, as `head` does: no more is needed.
package struct BrokenPipe: Error {
    package init() {}
}

/// Text to an open file.
package enum TextOutput {
    /// Writes all of a text.
    ///
    /// - Throws: ``BrokenPipe`` if the reader is gone, else ``MillError``.
    package static func write(_ text: String, to descriptor: Int32, named name: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0), to: descriptor, named: name) }
    }

    /// The same of bytes.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named name: String) throws {
        if isWritten(bytes, to: descriptor) { return }
        if errno == EPIPE { throw BrokenPipe() }
        throw MillError(
            stage: .reporting, path: name, what: "writing failed: \(String(cString: strerror(errno)))",
            hint: "check the space left on the disk", exitStatus: .ioError)
    }

    /// Writes all bytes, also where a signal interrupts or the system takes only some at once.
    ///
    /// - Returns: false where that fails, as errno says.
    package static func isWritten(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno != EINTR { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[max(count, 0)...])
        }
        return true
    }
}
