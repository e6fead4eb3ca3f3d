internal import Foundation

/// The error that the reader of standard output has closed it, as `head` does, and wants no more.
package struct BrokenPipe: Error {
    package init() {}
}

/// Text and bytes written to an open file.
package enum TextOutput {
    /// Writes a whole text.
    ///
    /// - Throws: ``BrokenPipe`` if the reader is gone, else ``MillError``.
    package static func write(_ text: String, to descriptor: Int32, named name: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0), to: descriptor, named: name) }
    }

    /// Writes all bytes, and throws like ``write(_:to:named:)`` for texts.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named name: String) throws {
        if isWritten(bytes, to: descriptor) { return }
        if errno == EPIPE { throw BrokenPipe() }
        throw MillError(
            stage: .reporting, path: name, what: "writing failed: \(String(cString: strerror(errno)))",
            hint: "check the space left on the disk", exitStatus: .ioError)
    }

    /// Writes all bytes, also where a signal interrupts the call or the system takes only some
    /// bytes at once.
    ///
    /// - Returns: false where writing fails; errno states the reason.
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
