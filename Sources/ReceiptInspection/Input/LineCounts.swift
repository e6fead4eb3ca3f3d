package import MillSystem
internal import SignedDataFormat

/// The results for the lines of some files.
package struct LineCounts: Sendable {
    /// Lines whose documents were all accepted, or all read whole.
    public private(set) var accepted = 0
    /// Lines with a document that is refused, malformed or missing.
    public private(set) var refused = 0
    /// Signed documents with members or values that are not known, parts of notifications among them.
    public private(set) var documentsWithUnknownMembers = 0
    /// The members and values of all documents that are not known, the first in order where there are many.
    private var unknownMembers = UnknownMembers()
    /// The errors of files that can't be read; all other files were read.
    public internal(set) var failures: [MillError] = []

    /// The members and values of all documents that are not known, in order, as `price: string`; the first where there
    /// are many.
    public var unknownMemberNames: [String] { unknownMembers.members.map { "\($0.path): \($0.valueType)" } }

    mutating func add(_ other: LineCounts) {
        accepted += other.accepted
        refused += other.refused
        documentsWithUnknownMembers += other.documentsWithUnknownMembers
        for member in other.unknownMembers.members {
            unknownMembers.insert(path: member.path, valueType: member.valueType)
        }
        failures += other.failures
    }

    mutating func count(_ isAccepted: Bool) {
        if isAccepted { accepted += 1 } else { refused += 1 }
    }

    /// Counts the unknown members of documents, each of which has some.
    mutating func count(_ documents: [UnknownMembers]) {
        documentsWithUnknownMembers += documents.count
        for member in documents.flatMap(\.members) {
            unknownMembers.insert(path: member.path, valueType: member.valueType)
        }
    }
}
