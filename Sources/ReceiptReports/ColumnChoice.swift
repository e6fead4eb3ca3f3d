package import MillSystem
internal import ReportHeaders

/// The columns of a report that are written.
package enum ColumnChoice: Sendable, Hashable {
    /// The main columns in tables and HTML, all columns in other formats.
    case main
    case all
    /// Columns by name, in the order of the names.
    case named([String])

    /// - Parameter text: `all`, or names separated by commas.
    /// - Parameter isAsked: whether the optional columns are wanted.
    /// - Throws: ``MillError`` for a name that no column of the report has.
    package init(_ text: String, of report: Report, optional isAsked: Bool = false) throws(MillError) {
        guard text != "all" else {
            self = .all
            return
        }
        let columns = report.header.columns.map(\.name)
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        for (index, name) in names.enumerated() {
            if names[..<index].contains(name) {
                throw ReportRun.misuse("the column \(name) is named twice", hint: "name each once")
            }
            if let option = report.header.optional.first, !isAsked, report.header.optional.contains(name) {
                throw ReportRun.misuse(
                    "the column \(name) of the report \(report.name) was not asked for",
                    hint: "add \(option)=1")
            }
            guard !columns.contains(name) else { continue }
            throw ReportRun.misuse(
                "the report \(report.name) has no column \(name)",
                hint: suggestion(for: name, among: columns)
                    + "it has \(columns.joined(separator: ", ")); all names them all")
        }
        self = .named(names)
    }
}

extension ReportHeader {
    /// The indices of the columns that people are shown.
    func places(of choice: ColumnChoice) -> [Int] {
        switch choice {
        case .all: Array(columns.indices)
        case .named(let names): places(of: names)
        case .main: shown.map(places) ?? Array(columns.indices.prefix(Self.usuallyShown))
        }
    }

    func places(of names: [String]) -> [Int] {
        names.compactMap { name in columns.firstIndex { $0.name == name } }
    }

    /// The header with the optional columns, which are then shown after the main ones, or without them.
    func answering(_ isAsked: Bool) -> ReportHeader {
        guard !optional.isEmpty else { return self }
        var header = self
        guard !isAsked else {
            header.shown = shown.map { $0 + optional }
            return header
        }
        header.columns.removeAll { optional.contains($0.name) }
        header.totals.removeAll(where: optional.contains)
        return header
    }

    /// The header with only the columns at the given indices.
    func keeping(_ places: [Int]) -> ReportHeader {
        var header = self
        header.columns = places.map { columns[$0] }
        let names = Set(header.columns.map(\.name))
        if !names.isSuperset(of: grain) { header.grain = [] }
        (header.shown, header.totals, header.triangle, header.charts) = (nil, [], nil, [])
        return header
    }
}
