internal import ReportHeaders

/// The part of a report's rows that people are shown: chosen columns with their totals, or a triangle in place of
/// rows.
struct ShownRows {
    let header: ReportHeader
    /// Places of the columns that are shown.
    var places: [Int]
    /// How many columns were removed from the rows.
    private var common = 0
    private(set) var triangle: TriangleTable?
    private var totals: ColumnTotals

    /// - Parameter choice: the chosen columns; a choice of the main columns is shown as a triangle where the header
    ///   asks for one.
    init(_ header: ReportHeader, _ choice: ColumnChoice) {
        self.header = header
        places = header.places(of: choice)
        triangle = choice == .main ? TriangleTable(header) : nil
        totals = ColumnTotals(header)
    }

    var columns: [ReportColumn] { places.map { header.columns[$0] } }

    /// Takes the next row.
    ///
    /// - Returns: the values that are shown; nil if the triangle takes the row.
    mutating func add(_ values: [ReportValue]) -> [ReportValue]? {
        guard triangle == nil else {
            triangle?.add(values)
            return nil
        }
        totals.add(values)
        return places.map { values[$0] }
    }

    /// Removes a column from the rows, because its value is printed once above all of them.
    mutating func takeOut(at index: Int) {
        places.remove(at: index)
        common += 1
    }

    /// A row for each currency; none where nothing is summed.
    var totalRows: [[ReportValue?]] { totals.rows(of: places) }

    /// `3 of 12 columns` where rows have more columns than are shown.
    var leftOut: String? {
        guard triangle == nil, places.count + common < header.columns.count else { return nil }
        return "\(places.count + common) of \(header.columns.count) columns"
    }
}
