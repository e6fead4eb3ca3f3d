internal import MillSystem

/// The files that a run has yet to open, in this order, and their sizes when the run began.
package struct FilesAhead {
    private var files: ArraySlice<(path: String, bytes: Double, isStream: Bool)>
    package private(set) var bytes: Double
    private var streams: Int

    package init(_ paths: [String]) {
        files = paths.map { ($0, Double(FileStamp(path: $0)?.bytes ?? 0), InputFile.mayWait($0)) }[...]
        bytes = files.reduce(0) { $0 + $1.bytes }
        streams = files.count { $0.isStream }
    }

    /// The path of the next file; nil after the last.
    package var next: String? { files.first?.path }
    /// Whether a file is a stream, whose length is unknown before its end.
    package var holdsStreams: Bool { streams > 0 }

    package mutating func popFirst() -> String? {
        guard let file = files.popFirst() else { return nil }
        bytes -= file.bytes
        if file.isStream { streams -= 1 }
        return file.path
    }
}
