internal import MillSystem

/// A file system that contains folders of the mill.
package struct DiskStatus: Sendable, Hashable {
    package private(set) var folders: [String]
    package let device: UInt64
    package let freeBytes: Int64
    /// If fewer bytes are free, a person has to act.
    package private(set) var neededBytes: Int64

    /// The minimum number of free bytes for every folder.
    static let minimum: Int64 = 256 << 20

    /// The file systems of folders, in the order in which the folders are given. Folders that don't exist are left out.
    ///
    /// - Parameter needs: folders, with the number of bytes that the next run will write there.
    static func all(_ needs: [(folder: String, bytes: Int64)]) -> [DiskStatus] {
        var disks: [DiskStatus] = []
        for (folder, bytes) in needs {
            guard let (device, free) = DiskSpace.free(in: folder) else { continue }
            if let index = disks.firstIndex(where: { $0.device == device }) {
                if !disks[index].folders.contains(folder) { disks[index].folders.append(folder) }
                disks[index].neededBytes += bytes
            } else {
                disks.append(
                    DiskStatus(folders: [folder], device: device, freeBytes: free, neededBytes: minimum + bytes))
            }
        }
        return disks
    }

    var isShort: Bool { freeBytes < neededBytes }
}
