internal import ReportHeaders

/// What people are shown of a report's rows: chosen columns with their totals, or a triangle instead of rows.
struct ShownRows {
    let header: ReportHeader
    /// Indices of the shown columns.
    var places: [Int]
    /// The number of columns removed because all rows have the same value.
    private var common = 0
    private(set) var triangle: TriangleTable?
    private var totals: ColumnTotals

    /// - Parameter choice: the chosen columns. If the main columns are chosen and the header has a triangle, the
    ///   triangle is shown.
    init(_ header: ReportHeader, _ choice: ColumnChoice) {
        self.header = header
        places = header.places(of: choice)
        triangle = choice == .main ? TriangleTable(header) : nil
        totals = ColumnTotals(header)
    }

    var columns: [ReportColumn] { places.map { header.columns[$0] } }

    /// Takes the next row.
    ///
    /// - Returns: the values that are shown; nil if the row goes into the triangle.
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

    /// A row for each currency; none if nothing is summed.
    var totalRows: [[ReportValue?]] { totals.rows(of: places) }

    /// A text such as `3 of 12 columns` if rows have more columns than are shown.
    var leftOut: String? {
        guard triangle == nil, places.count + common < header.columns.count else { return nil }
        return "\(places.count + common) of \(header.columns.count) columns"
    }
}
