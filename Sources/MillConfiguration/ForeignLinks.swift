internal import Foundation
internal import MillSystem

/// Finds links among an entry's archives that another user made. Archives are delivered by another user than the one
/// who loads them, and a link could have the run read, move or refuse files which the deliverer may not touch: the
/// service's own files.
struct ForeignLinks {
    /// The index of the first part of the path that other users can make, since the pipeline file names all parts
    /// before it.
    private let firstPart: Int
    /// The maker of each folder that was looked at, where the folder is a link of another user; else nil.
    private var folders: [String: String?] = [:]

    /// The maximum number of an entry's links that are reported one by one; further links are counted.
    private static let reportedLinks = 20

    init(of source: ArchiveSource) {
        let parts = source.path.split(separator: "/", omittingEmptySubsequences: false)
        firstPart = parts.firstIndex(where: ArchiveSource.isPattern) ?? max(parts.count - 1, 0)
    }

    /// The other user who made the path, or a folder in the path, a link; nil if no other user did.
    mutating func maker(of path: String) -> String? {
        FileOwner.stranger(whoMadeLink: path) ?? maker(onTheWayTo: path)
    }

    private mutating func maker(onTheWayTo path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard firstPart + 1 < parts.count else { return nil }
        for end in (firstPart + 1)..<parts.count {
            let folder = parts[..<end].joined(separator: "/")
            let maker: String?
            if let known = folders[folder] {
                maker = known
            } else {
                maker = FileOwner.stranger(whoMadeLink: folder)
                folders[folder] = .some(maker)
            }
            if let maker { return maker }
        }
        return nil
    }

    static func faults(among paths: [String], of source: ArchiveSource) -> [MillError] {
        var links = ForeignLinks(of: source)
        let made = paths.compactMap { path in links.maker(of: path).map { (path, maker: $0) } }
        var faults = made.prefix(reportedLinks).map { path, maker in
            fault(path, "is a link that belongs to \(maker), and is passed over")
        }
        if made.count > faults.count {
            faults.append(fault(source.path, "\(made.count - faults.count) more links of others are passed over"))
        }
        return faults
    }

    private static func fault(_ path: String, _ what: String) -> MillError {
        MillError(
            stage: .reading, path: path, what: what,
            hint: "find out who made it and remove it; archives are files, or links of root or of the run's user",
            exitStatus: .missingInput)
    }
}
