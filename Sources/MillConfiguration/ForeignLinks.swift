internal import Foundation
internal import MillSystem

/// Links among the archives of an entry that another user made. Who delivers archives is not who loads them,
/// and a link would have the run read, move or refuse what its maker can't: the service's own files.
struct ForeignLinks {
    /// The first part of the path that others can make: the pipeline file names the parts before.
    private let firstPart: Int
    /// For each folder that was looked at, who made it where it is a link of another user.
    private var folders: [String: String?] = [:]

    /// Links of one entry that are reported one by one; of further links only the number is.
    private static let reportedLinks = 20

    init(of source: ArchiveSource) {
        let parts = source.path.split(separator: "/", omittingEmptySubsequences: false)
        firstPart = parts.firstIndex(where: ArchiveSource.isPattern) ?? max(parts.count - 1, 0)
    }

    /// Who made a link that an archive is, or lies behind; nil where nobody else did.
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
