internal import MillSystem
internal import ReceiptArchive

/// The order in which archives are read.
///
/// A longer archive may be a shorter one of the same name to which lines were appended. So shorter archives of a name
/// are read first, and the result does not depend on the order in which archives are given.
enum ArchiveOrder {
    static func sorted(_ archives: [String]) -> [String] { indices(of: archives).map { archives[$0] } }

    /// Indices of the archives among those given, in the order of reading.
    static func indices(of archives: [String]) -> [Int] {
        var order = Array(archives.indices)
        for same in Dictionary(grouping: order, by: { name(archives[$0]) }).values where same.count > 1 {
            let sorted = same.map { (FileStamp(path: archives[$0])?.bytes ?? 0, $0) }.sorted { $0 < $1 }
            for (index, (_, archive)) in zip(same, sorted) { order[index] = archive }
        }
        return order
    }

    /// The name under which a file was delivered. Archives of one name may be states of one growing archive.
    static func name(_ path: String) -> String {
        let name = PathParts.name(of: path)
        return MovedName.original(of: name) ?? name
    }
}
