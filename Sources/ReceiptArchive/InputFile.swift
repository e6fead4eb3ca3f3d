internal import Foundation
package import MillSystem

/// A file that is open for reading, or standard input.
///
/// Input that can't be read twice (a pipe, standard input) is first copied to a temporary file without a name: an
/// archive is recognised by its content before it is loaded, and an interrupted load continues at the line where it
/// stopped. Input whose first lines name its archives can be read as a stream.
///
/// After the run was cancelled nothing is read, so that neither a large file nor a silent pipe delays the run's end.
package final class InputFile {
    /// The file's name without folders; "-" for standard input.
    package let name: String
    /// The path as the user gave it, for messages.
    package let path: String
    /// Whether the bytes arrive as their writer produces them, and can be read only once.
    package private(set) var isStream: Bool
    private var descriptor: Int32
    private let stop: CancellationFlag?
    /// The bytes that a stream has delivered since it was opened; nil if no caller will rewind it.
    private var beginning: [UInt8]?
    /// The part of the kept beginning that is to be read again.
    private var repeated: ArraySlice<UInt8> = []
    /// The time without bytes after which ``isSilent()`` returns true.
    private let longestSilence: Duration?
    /// The maximum number of bytes that may still be read.
    private var remainingBytes = Int64.max

    /// - Parameters:
    ///   - path: a file's path, or "-" for standard input.
    ///   - isReadOnce: whether the caller won't rewind, so that nothing has to be copied.
    ///   - longestSilence: the time without bytes after which ``isSilent()`` returns true for a stream; nil waits
    ///     without a limit.
    ///   - isFound: whether a pattern found the file; otherwise the user named it. Only a regular file is then
    ///     accepted, because a pipe may have no writer, and links of other users are not followed.
    ///   - stop: ends reading when it is cancelled.
    package init(
        path: String, isReadOnce: Bool = false, isFound: Bool = false, longestSilence: Duration? = nil,
        stop: CancellationFlag? = nil
    ) throws(MillError) {
        self.path = path
        self.stop = stop
        self.longestSilence = longestSilence
        name = path == "-" ? "-" : PathParts.name(of: path)
        // A pipe is opened without waiting for its writer; only reading waits.
        let opened =
            path == "-" ? dup(STDIN_FILENO) : isFound ? try FoundFile.open(path) : open(path, FoundFile.flags)
        guard opened >= 0 else {
            // A socket in the file system can't be opened; the error is ENXIO.
            if isFound, errno == ENXIO { throw Self.notRegular(path) }
            throw Self.failure(path, "can't be opened", hint: Self.hint(onMissing: path))
        }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            close(opened)
            throw Self.failure(path, "can't be examined")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG where path != "-":
            descriptor = opened
            isStream = false
        case S_IFDIR:
            close(opened)
            throw MillError(
                stage: .reading, path: path, what: "is a directory, not an archive",
                hint: "name the archives in it, such as \(path)/*.jsonl.gz", exitStatus: .missingInput)
        case _ where isFound:
            close(opened)
            throw Self.notRegular(path)
        case _ where isReadOnce:
            descriptor = opened
            isStream = true
        default:
            defer { close(opened) }
            isStream = false
            descriptor = try Self.spool(opened, path: path, stop)
        }
    }

    /// - Parameter opened: the descriptor of a regular file, which this object will close.
    package init(opened descriptor: Int32, path: String, stop: CancellationFlag? = nil) throws(MillError) {
        (self.descriptor, self.path, self.stop) = (descriptor, path, stop)
        (name, isStream, longestSilence) = (PathParts.name(of: path), false, nil)
        guard descriptor >= 0 else { throw Self.failure(path, "can't be opened") }
    }

    deinit { close(descriptor) }

    /// Whether opening or reading a path may wait for a writer.
    package static func mayWait(_ path: String) -> Bool {
        var status = stat()
        return path == "-" || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Reads at most `buffer.count` bytes; 0 means the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(MillError) -> Int {
        let space = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: remainingBytes)))
        if space.isEmpty { return 0 }
        if !repeated.isEmpty {
            let count = min(space.count, repeated.count)
            repeated.prefix(count).withUnsafeBytes { space.copyMemory(from: $0) }
            repeated = repeated.dropFirst(count)
            return count
        }
        let count = try Self.read(descriptor, into: space, isStream: isStream, path: path, stop)
        beginning?.append(contentsOf: space.prefix(count))
        remainingBytes -= Int64(count)
        if let kept = beginning?.count, kept > Self.longestBeginning {
            try copyStream()
            guard lseek(descriptor, off_t(kept), SEEK_SET) == off_t(kept) else {
                throw Self.failure(path, "can't be read twice")
            }
        }
        return count
    }

    /// Waits up to the longest silence, and returns whether a stream delivered no byte.
    package func isSilent() throws(MillError) -> Bool {
        guard isStream, repeated.isEmpty, let longestSilence else { return false }
        let end = ContinuousClock.now + longestSilence
        repeat {
            if try Self.isReady(descriptor, path, stop) { return false }
        } while .now < end
        return true
    }

    /// Keeps the bytes that a stream delivers from now on, until it is rewound or copied. If there are many, the stream
    /// is copied.
    package func keepBeginning() {
        if isStream { beginning = [] }
    }

    /// Copies a stream whose beginning was kept to a temporary file, so that it can be read any
    /// number of times.
    package func copyStream() throws(MillError) {
        guard isStream else { return }
        let copy = try Self.spool(descriptor, behind: beginning ?? [], path: path, stop)
        close(descriptor)
        (descriptor, isStream, beginning) = (copy, false, nil)
    }

    /// Rewinds to the first byte, from which at most `bytes` are then read. A stream can be rewound once.
    package func rewind(upTo bytes: Int64 = .max) throws(MillError) {
        if let kept = beginning {
            (repeated, beginning) = (kept[...], nil)
            return
        }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure(path, "can't be read twice") }
        remainingBytes = bytes
    }

    /// The file's present stamp.
    package func stamp() throws(MillError) -> FileStamp {
        guard let stamp = FileStamp(descriptor: descriptor) else { throw Self.failure(path, "can't be examined") }
        return stamp
    }

    /// - Parameter isStream: whether reading may wait for a writer.
    private static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, isStream: Bool, path: String,
        _ stop: CancellationFlag?
    ) throws(MillError) -> Int {
        while true {
            // A blocking read(2) could not be cancelled, so a stream is polled first.
            if stop?.isCancelled == true { throw stopped(path) }
            if isStream, try !isReady(descriptor, path, stop) { continue }
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw failure(path, "can't be read", status: .ioError) }
        }
    }

    /// Whether bytes can be read, or the end is known, within a moment.
    private static func isReady(
        _ descriptor: Int32, _ path: String, _ stop: CancellationFlag?
    ) throws(MillError) -> Bool {
        if stop?.isCancelled == true { throw stopped(path) }
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&ready, 1, pollMilliseconds)
        return count > 0 || count < 0 && errno != EINTR
    }

    private static let pollMilliseconds: Int32 = 100
    private static let copiedAtOnce = 1 << 18
    /// The maximum number of a stream's bytes that are kept in memory, more than the lines need that name its archives.
    static let longestBeginning = 1 << 22

    private static func spool(
        _ source: Int32, behind beginning: [UInt8] = [], path: String, _ stop: CancellationFlag?
    ) throws(MillError) -> Int32 {
        var template = Array((NSTemporaryDirectory() + "receiptmill-XXXXXX").utf8CString)
        let copy = mkstemp(&template)
        guard copy >= 0 else {
            throw failure(
                path, "no temporary file for it in \(NSTemporaryDirectory())",
                hint: "set TMPDIR to a folder with space for it", status: .cannotCreate)
        }
        unlink(template)
        var buffer = beginning
        var count = beginning.count
        do throws(MillError) {
            repeat {
                let isWritten = buffer.withUnsafeBytes {
                    TextOutput.isWritten(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: copy)
                }
                guard isWritten else {
                    throw failure(
                        path, "can't be copied to \(NSTemporaryDirectory())",
                        hint: "set TMPDIR to a folder with space for it, or name a file", status: .ioError)
                }
                if buffer.count < copiedAtOnce { buffer = [UInt8](repeating: 0, count: copiedAtOnce) }
                var space = buffer.mutableSpan
                count = try space.withUnsafeMutableBytes { (space) throws(MillError) in
                    try read(source, into: space, isStream: true, path: path, stop)
                }
            } while count > 0
        } catch {
            close(copy)
            throw error
        }
        lseek(copy, 0, SEEK_SET)
        return copy
    }

    private static func hint(onMissing path: String) -> String {
        let code = errno
        defer { errno = code }
        // The argument was decoded before; U+FFFD shows that it was not valid UTF-8.
        if path.contains("\u{FFFD}") {
            return "check the path; a name that is not UTF-8 can't be stored: rename the file"
        }
        var status = stat()
        guard code == ENOENT, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
            return "check the path and its permissions"
        }
        return "it is a link to what is not there (\(RealPath.of(path))): check what is mounted, or remove the link"
    }

    private static func stopped(_ path: String) -> MillError {
        MillError(
            stage: .reading, path: path, what: "was not read to its end: the run was asked to stop",
            hint: "the next run goes on", exitStatus: .tryLater)
    }

    private static func notRegular(_ path: String) -> MillError {
        MillError(
            stage: .reading, path: path, what: "is a pipe, a socket or a device, and no regular file",
            hint: "remove it; a pipe that is to be read needs an entry without * ? [, or a command that names it",
            exitStatus: .missingInput)
    }

    private static func failure(
        _ path: String, _ what: String, hint: String? = nil, status: ExitStatus = .missingInput
    ) -> MillError {
        let code = errno
        return MillError(
            stage: .reading, path: path, what: "\(what): \(String(cString: strerror(code)))",
            hint: MillError.hintOnOpenFiles(code) ?? hint, exitStatus: status)
    }
}
