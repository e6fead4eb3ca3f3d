internal import MillSystem
internal import ReceiptArchive

/// Schedules files in the given order; no decision on a file depends on another file.
final class ListedFiles: FileScheduler {
    private var paths: ArraySlice<String>
    private let stop: CancellationFlag
    private let open: (String) throws(MillError) -> ScheduledFile

    /// - Parameter open: opens the file at a path, or decides that its lines are not read.
    init(
        _ paths: [String], stop: CancellationFlag = CancellationFlag(),
        open: @escaping (String) throws(MillError) -> ScheduledFile
    ) {
        self.paths = paths[...]
        self.stop = stop
        self.open = open
    }

    let mustDrain = false
    let bytesAhead = 0.0
    var nextPath: String? { paths.first }

    func next() throws(MillError) -> ScheduledFile? {
        guard !stop.isCancelled, let path = paths.popFirst() else { return nil }
        do throws(MillError) {
            return try open(path)
        } catch {
            return stop.isCancelled ? nil : (.unreadable(error), nil)
        }
    }
}
