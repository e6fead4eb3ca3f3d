internal import Foundation

/// The error that the reader of standard output has closed it and wants no more, as `head` does.
package struct BrokenPipe: Error {
    package init() {}
}

/// Writes text and bytes to an open file.
package enum TextOutput {
    /// Writes a complete text.
    ///
    /// - Throws: ``BrokenPipe`` if the reader is gone, else ``MillError``.
    package static func write(_ text: String, to descriptor: Int32, named name: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0), to: descriptor, named: name) }
    }

    /// Writes all bytes, with the same errors as ``write(_:to:named:)`` for texts.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named name: String) throws {
        if isWritten(bytes, to: descriptor) { return }
        if errno == EPIPE { throw BrokenPipe() }
        throw MillError(
            stage: .reporting, path: name, what: "writing failed: \(String(cString: strerror(errno)))",
            hint: "check the space left on the disk", exitStatus: .ioError)
    }

    /// Writes all bytes, even if a signal interrupts the call or the system accepts only some bytes at once.
    ///
    /// - Returns: false if writing fails; errno has the reason.
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
