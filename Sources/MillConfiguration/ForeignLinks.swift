internal import Foundation
internal import MillSystem

/// Finds links among an entry's archives that another user made. Archives may be delivered by another user than the one
/// who loads them. Such a user could use a link to have the run read, move or refuse files that only the run's user may
/// access.
struct ForeignLinks {
    /// The index of the first part of the path that other users can make; the pipeline file itself names all parts
    /// before it.
    private let firstPart: Int
    /// The maker of each folder that was examined, if the folder is a link of another user; else nil.
    private var folders: [String: String?] = [:]

    /// The maximum number of an entry's links that are reported singly; further links are only counted.
    private static let reportedLinks = 20

    init(of source: ArchiveSource) {
        let parts = source.path.split(separator: "/", omittingEmptySubsequences: false)
        firstPart = parts.firstIndex(where: ArchiveSource.isPattern) ?? max(parts.count - 1, 0)
    }

    /// The other user who made the path, or a folder in it, as a link; nil if there is none.
    mutating func maker(of path: String) -> String? {
        FileOwner.stranger(whoMadeLink: path) ?? maker(onTheWayTo: path)
    }

    private mutating func maker(onTheWayTo path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard firstPart + 1 < parts.count else { return nil }
        for end in (firstPart + 1)..<parts.count {
            let folder = parts[..<end].joined(separator: "/")
            let maker = folders[folder] ?? FileOwner.stranger(whoMadeLink: folder)
            folders.updateValue(maker, forKey: folder)
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
