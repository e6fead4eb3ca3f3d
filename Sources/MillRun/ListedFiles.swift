internal import MillSystem
internal import ReceiptArchive

/// Schedules files in the given order; no decision on a file depends on another file.
final class ListedFiles: FileScheduler {
    private(set) var ahead: FilesAhead
    private let stop: CancellationFlag
    private let open: (String) throws(MillError) -> ScheduledFile

    /// - Parameter open: opens the file at a path, or decides that its lines are not read.
    init(
        _ paths: [String], stop: CancellationFlag = CancellationFlag(),
        open: @escaping (String) throws(MillError) -> ScheduledFile
    ) {
        ahead = FilesAhead(paths)
        self.stop = stop
        self.open = open
    }

    let mustDrain = false

    func next() throws(MillError) -> ScheduledFile? {
        guard !stop.isCancelled, let path = ahead.popFirst() else { return nil }
        do throws(MillError) {
            return try open(path)
        } catch {
            return stop.isCancelled ? nil : (.unreadable(error), nil)
        }
    }
}
