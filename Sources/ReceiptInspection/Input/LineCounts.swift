package import MillSystem
internal import SignedDataFormat

/// The results for the lines of some files.
package struct LineCounts: Sendable {
    /// The number of lines whose documents were all accepted or, if nothing is verified, all read whole.
    public private(set) var accepted = 0
    /// The number of lines with a document that is refused, malformed or missing.
    public private(set) var refused = 0
    /// The number of signed documents with unknown members or values; parts of notifications count, too.
    public private(set) var documentsWithUnknownMembers = 0
    /// The unknown members and values of all documents; if there are many, the first in order.
    private var unknownMembers = UnknownMembers()
    /// The errors of files that can't be read; all other files were read.
    public internal(set) var failures: [MillError] = []

    /// The unknown members and values of all documents, in order, as `price: string`; if there are many, the first.
    public var unknownMemberNames: [String] { unknownMembers.members.map { "\($0.path): \($0.valueType)" } }

    mutating func add(_ other: LineCounts) {
        accepted += other.accepted
        refused += other.refused
        documentsWithUnknownMembers += other.documentsWithUnknownMembers
        unknownMembers.formUnion(other.unknownMembers)
        failures += other.failures
    }

    mutating func count(_ isAccepted: Bool) {
        if isAccepted { accepted += 1 } else { refused += 1 }
    }

    /// Counts the unknown members of documents. Each of the documents has at least one.
    mutating func count(_ documents: [UnknownMembers]) {
        documentsWithUnknownMembers += documents.count
        for members in documents { unknownMembers.formUnion(members) }
    }
}
