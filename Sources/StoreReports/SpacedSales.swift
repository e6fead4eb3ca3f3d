internal import MillBytes

/// Rows of a sales report whose tabs were replaced by spaces, as in texts that were copied from a window. Empty cells
/// are lost, and two adjacent dates show which cells come before and after.
enum SpacedSales {
    /// The header for the rows that ``row(_:)`` makes.
    static let header = Array(
        """
        SKU\tTitle\tProduct Type Identifier\tUnits\tDeveloper Proceeds\tBegin Date\tEnd Date\tCustomer Currency\t\
        Country Code\tCurrency of Proceeds\tApple Identifier\tCustomer Price
        """.utf8)

    /// Whether a line is the header of a sales report without tabs.
    static func isHeader(_ line: [UInt8]) -> Bool {
        // A bar is not a supported delimiter, but it does not come from a tab that was replaced by spaces, either.
        let delimiters = StoreFileLine.Delimiter.allCases.map(\.rawValue) + [UInt8(ascii: "|")]
        guard !line.contains(where: delimiters.contains) else { return false }
        let name = ReportText.normalized(line[...])
        return name.starts(with: "providerprovidercountry".utf8)
            && ["unitsroyaltyprice", "unitsdeveloperproceeds"].contains {
                ByteSearch.contains(name[...], Array($0.utf8))
            }
            && ByteSearch.contains(name[...], Array("begindateenddate".utf8))
    }

    /// The row in a line whose tabs were replaced by spaces.
    ///
    /// - Throws: ``ReportFault`` if the line has no two adjacent dates, or if a cell before or after them contains spaces.
    static func row(_ line: [UInt8]) throws(ReportFault) -> StoreFileLine {
        guard let cells = cells(line) else {
            throw ReportFault(.columns, "the line has spaces for tabs, and its cells can't be distinguished")
        }
        return StoreFileLine(Array(cells.joined(separator: [StoreFileLine.Delimiter.tab.rawValue])), .tab)
    }

    private static func cells(_ line: [UInt8]) -> [ArraySlice<UInt8>]? {
        let words = line.split { $0 == UInt8(ascii: " ") || 0x09...0x0d ~= $0 }
        guard
            let date = words.indices.dropLast().first(where: {
                ReportDate.day(words[$0]) != nil && ReportDate.day(words[$0 + 1]) != nil
            }), date >= 6, words.count >= date + 7
        else { return nil }
        // Provider, provider country and SKU come first; type, units and proceeds come directly before the dates.
        let named = words[3..<(date - 3)]
        let title = named.count == 2 ? named[4] : []
        let amounts = words[(date + 5)...]
        guard let appleID = amounts.first, appleID.allSatisfy({ $0.asDigit != nil }), amounts.count > 1 else {
            return nil
        }
        return [words[2], title] + words[(date - 3)..<(date + 5)] + amounts.prefix(2)
    }
}
