internal import Foundation

/// The disk space that some work needs, compared with the free disk space before the work begins.
package struct DiskSpace: Sendable {
    private var needs: [Need] = []
    /// The bytes that can be written to the file system of a folder; nil if the file system does not state this.
    private let free: @Sendable (_ folder: String) -> (device: UInt64, bytes: Int64)?

    private struct Need {
        let bytes: Int64
        let folder: String
        let what: String
    }

    package init() {
        self.init(free: Self.free(in:))
    }

    init(free: @escaping @Sendable (_ folder: String) -> (device: UInt64, bytes: Int64)?) {
        self.free = free
    }

    /// Adds bytes that the work will write into a folder.
    ///
    /// - Parameter what: the purpose of the bytes, for the error's message.
    package mutating func need(_ bytes: Int64, for what: String, in folder: String) {
        guard bytes > 0 else { return }
        needs.append(Need(bytes: bytes, folder: folder, what: what))
    }

    /// - Parameter advice: an alternative to freeing disk space, which the hint names after a semicolon.
    /// - Throws: ``MillError`` for the first folder whose file system has less disk space than all
    ///   its folders need together.
    package func check(at stage: Stage = .loading, or advice: String) throws(MillError) {
        let disks = Dictionary(grouping: needs.indices) { free(needs[$0].folder)?.device }
        for need in needs {
            guard let (device, available) = free(need.folder), let members = disks[device] else { continue }
            let needed = members.reduce(0) { $0 + needs[$1].bytes }
            guard needed > available else { continue }
            let parts = members.map { "\(Self.text(needs[$0].bytes)) for \(needs[$0].what) in \(needs[$0].folder)" }
            throw MillError(
                stage: stage, path: need.folder,
                what:
                    "not enough disk space: about \(Self.text(needed)) are needed (\(parts.joined(separator: ", "))), and "
                    + "\(Self.text(available)) are free",
                hint: "free some; \(advice)", exitStatus: .ioError)
        }
    }

    private static func text(_ bytes: Int64) -> String { "\((bytes + 999_999) / 1_000_000) MB" }

    /// The bytes that can be written to the file system of a folder; nil if there is no such folder, or the file system
    /// does not state this.
    package static func free(in folder: String) -> (device: UInt64, bytes: Int64)? {
        var (status, file) = (statvfs(), stat())
        // A file system that counts no blocks, such as a view of another one, has no size of its own.
        guard statvfs(folder, &status) == 0, stat(folder, &file) == 0, status.f_blocks > 0 else { return nil }
        let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
        let (bytes, overflows) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return (UInt64(file.st_dev), overflows ? .max : Int64(clamping: bytes))
    }
}
