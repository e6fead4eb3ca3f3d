/// An archive, one of its lines and a document of the line in one integer, as in the schema's `submission_id` and
/// `letter_id`.
package enum LineNumber {
    /// The identifier of a line, which is also that of its first document.
    package static func id(archive: Int64, line: Int64) -> Int64 { archive << 32 | line }

    /// The identifier of a line's document, numbered from 1.
    package static func id(ofDocument document: Int, in line: Int64) -> Int64 { Int64(document - 1) << 52 | line }

    /// The maximum number of an archive; the higher bits are the document's number.
    package static let maximumArchive: Int64 = 0xf_ffff

    package static func archive(of id: Int64) -> Int64 { id >> 32 & maximumArchive }
    package static func document(of id: Int64) -> Int64 { (id >> 52) + 1 }
    package static func line(of id: Int64) -> Int64 { id & 0xffff_ffff }
}
