import Foundation
import MillSystem
import StoreReports
import TestSupport
import Testing

/// Reports that were changed at random end as rows, rejections or one error, and rows keep what holds of every row.
@Suite("A report changed at random")
struct MutatedReportTests {
    private static let rounds = Nightly.rounds(day: 1_500, night: 200_000)
    private static let telling =
        Array("\t\t\t\n\r\",;:.-+ 0199()/RS\u{0}".utf8) + [0xff, 0xfe, 0xef, 0xbb, 0xbf, 0xa0, 0xc2, 0xe2]

    private static func originals() throws -> [[UInt8]] {
        let payments = """
            "X\t(Mai, 2014)"
            Region (W),a,b,c,d,e,f,g,h,i,j
            Schweiz (CHF),"1.029","1.033,15","0","0","0","0","1.033,15","0,80030","826,83","EUR"
            ,,,,,,,,,,"826,83" EUR
            """
        let share = SampleReport.share("2", "1.42", "2.84")
        let inline = [
            [SampleReport.sales, SampleReport.sale(), SampleReport.sale("-1")].joined(separator: "\r\n"),
            [SampleReport.financial, share, "Total_Rows\t1", SampleReport.financial, share].joined(separator: "\n"),
            payments,
        ].map { Array($0.utf8) }
        guard ReportCorpus.isPresent else { return inline }
        // Long files are cut, so that changes meet headers and totals, too.
        return try inline
            + ReportCorpus.manifest().map { try Array(ReportCorpus.bytes($0["file"] ?? "").prefix(3_000)) }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0...Int.random(in: 0...5, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            let byte = telling.randomElement(using: &random) ?? 0
            let end = min(bytes.count, place + Int.random(in: 1...200, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = byte
            case 2: bytes.insert(byte, at: place)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: bytes.indices, using: &random))
            case 4: bytes.removeSubrange(place..<end)
            default: bytes.removeLast(bytes.count - place)
            }
        }
    }

    @Test("ends as rows, rejections or an error, and no row breaks what holds of rows")
    func mutations() throws {
        var random = SeededGenerator(seed: 46)
        let originals = try Self.originals()
        var (read, refused) = (0, 0)
        for _ in 0..<Self.rounds {
            var bytes = try #require(originals.randomElement(using: &random))
            Self.mutate(&bytes, &random)
            do {
                let reading = try ReportReading(bytes)
                read += 1
                #expect(zip(reading.lines, reading.lines.dropFirst()).allSatisfy { $0 < $1 }, "\(bytes)")
                #expect(reading.sales.allSatisfy(Self.holds), "\(bytes)")
                for row in reading.rows {
                    _ = try JSONSerialization.jsonObject(with: Data(row.fields.utf8))
                }
                let size = Int.random(in: 1...64, using: &random)
                #expect(try ReportReading(bytes, chunkSize: size) == reading, "\(bytes)")
            } catch let error as MillError {
                refused += 1
                #expect(error.exitStatus == .badData, "\(bytes)")
            }
        }
        #expect(read > Self.rounds / 2 && refused > 0, "\(read) read, \(refused) refused")
    }

    private static func holds(_ sale: StoreSale) -> Bool {
        // A product of whole thousandths is at most half of one off.
        let exact = Int128(sale.unitsThousandths) * Int128(sale.priceMilliunits) - Int128(sale.grossMilliunits) * 1000
        return sale.priceMilliunits >= 0 && exact.magnitude <= 500 && !sale.sku.isEmpty && sale.line > 1
            && (sale.unitsThousandths >= 0 || sale.proceedsMilliunits <= 0)
    }
}
