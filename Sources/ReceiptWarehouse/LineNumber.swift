/// A line of an archive in one integer, and the documents in it: as `submission_id`
/// and `letter_id` of the schema.
package enum LineNumber {
    /// The identifier of a line's first document, and of the line.
    package static func id(archive: Int64, line: Int64) -> Int64 { archive << 32 | line }

    /// The identifier of a document, numbered from 1, of a line.
    package static func id(ofDocument document: Int, in line: Int64) -> Int64 { Int64(document - 1) << 52 | line }

    /// The greatest number of an archive: above it are those of documents.
    package static let greatestArchive: Int64 = 0xf_ffff

    package static func archive(of id: Int64) -> Int64 { id >> 32 & greatestArchive }
    package static func document(of id: Int64) -> Int64 { (id >> 52) + 1 }
    package static func line(of id: Int64) -> Int64 { id & 0xffff_ffff }
}
