#if ISAL
    import Foundation
    import TestSupport
    import Testing

    @testable import MillSystem
    @testable import ReceiptArchive

    /// What an archive becomes, whole or damaged, is the same whatever inflates it.
    @Suite("zlib and ISA-L")
    struct InflatersAgreeTests {
        /// Shares of the sample: its first and last bytes, and borders of members among them.
        @Test(
            "read the same of an archive that is cut, and of one with a bit wrong",
            arguments: [1, 7, 19, 20, 51, 83, 99, 100])
        func agree(percent: Int) throws {
            let workdir = try Workdir()
            let sample = [UInt8](try Data(contentsOf: Repository.file("data-samples/receipts-001.jsonl.gz")))
            let cut = Array(sample.prefix(sample.count * percent / 100))
            var flipped = cut
            flipped[sample.count * percent / 200] = 0xff
            for archive in [cut, flipped] {
                let read = try [ZlibInflater.self, ISALInflater.self].map { (inflater: any Inflater.Type) in
                    try ArchiveReaderTests.read(archive, in: workdir, method: ByteSource.Method(inflater: inflater))
                }
                #expect(read[0].text == read[1].text)
                #expect(read[0].overlong == read[1].overlong)
                #expect(read[0].damage == read[1].damage)
                #expect((read[0].damage == nil) == (archive == sample))
            }
        }
    }
#endif
