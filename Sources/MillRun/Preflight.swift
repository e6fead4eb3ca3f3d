internal import Foundation
internal import MillConfiguration
internal import MillDatabase
internal import MillSystem
internal import ReceiptWarehouse

/// Checks before a load whether the disks have enough space for it.
///
/// A load that meets a full disk loses nothing, but ends early, in the middle of the night. The need is estimated from
/// the bytes of new archives, by factors measured on loads of millions of receipts and signed strings;
/// docs/operations.md has the figures.
struct Preflight {
    private let database: Warehouse
    let configuration: LoadConfiguration

    init(_ run: RunContext) { (database, configuration) = (run.database, run.configuration) }

    /// Bytes of database for each byte of an archive: for gzip, and for plain text.
    private static let growthOfGzip = 0.7
    private static let growthOfText = 0.13
    /// Bytes of kept receipts for each byte of an archive.
    private static let keptOfGzip = 2.2
    private static let keptOfText = 0.4
    /// Bytes of SQLite's log for each byte of the tables. The log holds all pages that one transaction writes: those of
    /// a window, of the largest index, or of all models.
    private static let logOfDatabase = 0.2
    /// Bytes of models for each byte of the other tables.
    private static let models = 0.9
    private static let windowLog = 64e6
    private static let windowLogWithReceipts = 256e6
    /// Bytes of temporary files, in which indices and models are sorted, for each byte of the tables.
    private static let sortsOfDatabase = 0.4

    func check(_ paths: [String]) throws(MillError) {
        guard configuration.checksDiskSpace else { return }
        try TemporaryFolder.check()
        try check(growth: try growths(by: paths).reduce(0) { $0 + $1.growth })
    }

    /// Checks the disk space for a database that grows by `growth` bytes.
    func check(growth: Double) throws(MillError) {
        guard growth > 0 else { return }
        let stored = Double(FileStamp(path: database.path)?.bytes ?? 0)
        let models = configuration.refreshes ? Self.models : 0
        // A refresh may compute all models, so all tables count, not only the growth.
        let touched = configuration.refreshes ? growth + stored / (1 + models) : growth
        // A comparison computes the models into temporary tables.
        let state = try database.models.state()
        let compared = state.map { configuration.modelComparison.isDue(after: $0.wholeAt) } == true ? models : 0
        let folder = PathParts.folder(of: RealPath.of(database.path))
        var space = DiskSpace()
        space.need(Self.whole(growth * (1 + models)), for: "the database", in: folder)
        // A small load writes no more to the log than its own size.
        let window = min(configuration.keepsReceipts ? Self.windowLogWithReceipts : Self.windowLog, growth)
        space.need(
            Self.whole(window + max(Self.logOfDatabase, models) * touched), for: "its log", in: folder)
        space.need(
            Self.whole((Self.sortsOfDatabase + compared) * touched), for: "temporary files",
            in: TemporaryFolder.ofSQLite)
        try space.check(
            or: "SQLITE_TMPDIR names another folder for temporary files; "
                + "--no-preflight loads what there is disk space for")
    }

    /// A sparse file may have any length. The bound keeps sums of lengths within 64 bits.
    private static func whole(_ bytes: Double) -> Int64 { Int64(min(bytes, 1e18)) }

    /// The bytes by which each archive makes the database grow. Pipes are left out, because their length is unknown.
    /// Bytes count as already loaded if the database knows an archive of the same name that came from the same folder
    /// or has the same length.
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

    /// The bytes that an archive of `bytes` bytes adds to the database.
    private func growth(by bytes: Double, of path: String) -> Double {
        guard bytes > 0, let file = FileHandle(forReadingAtPath: path) else { return 0 }
        let isGzip = (try? file.read(upToCount: 2)) == Data([0x1f, 0x8b])
        let kept = configuration.keepsReceipts ? (isGzip ? Self.keptOfGzip : Self.keptOfText) : 0
        return bytes * ((isGzip ? Self.growthOfGzip : Self.growthOfText) + kept)
    }
}
