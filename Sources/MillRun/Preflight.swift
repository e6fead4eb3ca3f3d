internal import Foundation
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// Holds the room on disks against what a load is going to need, before it begins.
///
/// A load that meets a full disk loses nothing, but ends in the middle of the night. What it
/// needs is told from the bytes of archives that are new, by what loads of millions of
/// receipts and signed strings took; docs/operations.md has the figures.
struct Preflight {
    private let database: Warehouse
    let configuration: LoadConfiguration

    init(_ run: RunContext) { (database, configuration) = (run.database, run.configuration) }

    /// Bytes of database for each byte of an archive: gzip, and plain text.
    private static let growthOfGzip = 0.7
    private static let growthOfText = 0.13
    /// The same of receipts that are kept.
    private static let keptOfGzip = 2.2
    private static let keptOfText = 0.4
    /// The log holds what one transaction writes: a window's pages, or the largest index, or all models.
    private static let logOfDatabase = 0.2
    /// Models, for each byte of the other tables.
    private static let models = 0.4
    private static let windowLog = 64e6
    private static let windowLogWithReceipts = 256e6
    /// Indices and models are sorted in temporary files.
    private static let sortsOfDatabase = 0.4

    func check(_ paths: [String]) throws(MillError) {
        guard configuration.checksDiskSpace else { return }
        try TemporaryFolder.check()
        try check(growth: try growths(by: paths).reduce(0) { $0 + $1.growth })
    }

    /// Holds what has to be there for so many further bytes of the database against what there is.
    func check(growth: Double) throws(MillError) {
        guard growth > 0 else { return }
        let whole = growth + Double(FileStamp(path: database.path)?.bytes ?? 0)
        // Behind a night models are worked out whole.
        let (touched, models) = configuration.refreshes ? (whole, Self.models) : (growth, 0)
        let folder = PathParts.folder(of: RealPath.of(database.path))
        var room = Room()
        room.need(Self.whole(growth * (1 + models)), for: "the database", in: folder)
        // A small load's window is as small.
        let window = min(configuration.keepsReceipts ? Self.windowLogWithReceipts : Self.windowLog, growth)
        room.need(
            Self.whole(window + max(Self.logOfDatabase, models) * touched), for: "its log", in: folder)
        room.need(Self.whole(Self.sortsOfDatabase * touched), for: "temporary files", in: TemporaryFolder.ofSQLite)
        try room.check(
            or: "SQLITE_TMPDIR names another folder for temporary files; --no-preflight loads what there is room for")
    }

    /// Files may be said to be as long as numbers go: a sum of some such needs is one, too.
    private static func whole(_ bytes: Double) -> Int64 { Int64(min(bytes, 1e18)) }

    /// Bytes that each archive adds to the database, of those of which it can be told: not of a pipe. None of
    /// archives that were loaded under this name: from this folder, or as long as this one.
    func growths(by paths: [String]) throws(MillError) -> [(path: String, growth: Double)] {
        let files = paths.compactMap { path -> (path: String, bytes: Int64)? in
            guard path != "-", let stamp = FileStamp(path: path), stamp.isRegular else { return nil }
            return (path, stamp.bytes)
        }
        var folder = RealFolder()
        let known = try database.archives.loadedBytes(
            of: files.map { (PathParts.name(of: $0.path), folder.of($0.path), $0.bytes) })
        return zip(files, known).map { ($0.path, growth(by: Double($0.bytes - $1), of: $0.path)) }
    }

    /// What so many bytes of an archive add.
    private func growth(by bytes: Double, of path: String) -> Double {
        guard bytes > 0, let file = FileHandle(forReadingAtPath: path) else { return 0 }
        let isGzip = (try? file.read(upToCount: 2)) == Data([0x1f, 0x8b])
        let kept = configuration.keepsReceipts ? (isGzip ? Self.keptOfGzip : Self.keptOfText) : 0
        return bytes * ((isGzip ? Self.growthOfGzip : Self.growthOfText) + kept)
    }
}
