internal import ReceiptArchive

/// The files that a run is still to open, in this order, and their bytes when the run began.
struct FilesAhead {
    private var files: ArraySlice<(path: String, bytes: Double, isStream: Bool)>
    private(set) var bytes: Double
    private var streams: Int

    init(_ paths: [String]) {
        files = paths.map { ($0, Double(ArchiveOrder.bytes(of: $0)), InputFile.mayWait($0)) }[...]
        bytes = files.reduce(0) { $0 + $1.bytes }
        streams = files.count { $0.isStream }
    }

    /// The path of the next file; nil after the last.
    var next: String? { files.first?.path }
    /// Whether a file is a stream, whose length nobody knows before its end.
    var holdsStreams: Bool { streams > 0 }

    mutating func popFirst() -> String? {
        guard let file = files.popFirst() else { return nil }
        bytes -= file.bytes
        if file.isStream { streams -= 1 }
        return file.path
    }
}
