/// A comment line of a header without its dashes.
struct HeaderLine: Hashable {
    var number: Int
    var text: String

    var indentation: Int { text.prefix { $0 == " " }.count }
}

/// One entry of a section, joined from its lines.
struct HeaderEntry: Hashable {
    /// The entry's first line in the file.
    var line: Int
    var text: String
}

/// A header's lines, cut at the section names.
struct HeaderSections {
    enum Name: String, CaseIterable {
        case grain = "Grain"
        case parameters = "Parameters"
        case columns = "Columns"
        case chart = "Chart"
        case notes = "Notes"
        case example = "Example"
    }

    /// What stands before the first section, joined to one line.
    private(set) var preamble = ""
    private var lines: [Name: [HeaderLine]] = [:]
    private var starts: [Name: Int] = [:]
    private var problem: MalformedReportHeader?
    private var lastLine = 1

    init(lines allLines: some Sequence<HeaderLine>) {
        var current: Name?
        var question: [String] = []
        for line in allLines {
            lastLine = line.number
            let start = line.indentation == 0 ? Self.sectionStart(line.text) : nil
            if let start, let name = Name(rawValue: start.name) {
                if starts[name] != nil { note(line.number, "the section \(start.name) stands twice") }
                current = name
                starts[name] = line.number
                lines[name, default: []] +=
                    start.rest.isEmpty ? [] : [HeaderLine(number: line.number, text: start.rest)]
            } else if let start, start.rest.isEmpty {
                note(line.number, "there is no section \(start.name)")
            } else if let current {
                if line.indentation == 0, !line.text.isEmpty {
                    note(line.number, "the line belongs to no section")
                }
                lines[current, default: []].append(line)
            } else if !line.text.isEmpty {
                question.append(line.text.trimmed)
            }
        }
        preamble = question.joined(separator: " ")
    }

    /// Throws what was found wrong while cutting, the first of it.
    func check() throws(MalformedReportHeader) {
        if let problem { throw problem }
    }

    /// The line on which a section starts, the header's last where it is missing.
    func line(of name: Name) -> Int { starts[name] ?? lastLine }

    /// The column names after "one row per".
    func grain() throws(MalformedReportHeader) -> [String] {
        let phrase = "one row per "
        let text = try requiredText(of: .grain).split(separator: "\n").joined(separator: " ")
        let names =
            text.hasPrefix(phrase)
            ? text.dropFirst(phrase.count).split(separator: ",").map { String($0).trimmed } : []
        guard !names.isEmpty, names.allSatisfy({ HeaderFields.isIdentifier($0[...]) }) else {
            throw MalformedReportHeader(
                line: line(of: .grain), what: "the grain names no columns",
                hint: "write: Grain: one row per column, column")
        }
        return names
    }

    /// A section's entries; lines indented further than the first go on with
    /// the entry above.
    func entries(of name: Name) -> [HeaderEntry] {
        let lines = (lines[name] ?? []).filter { !$0.text.isEmpty }
        let indentation = lines.first?.indentation ?? 0
        var entries: [HeaderEntry] = []
        for line in lines {
            if line.indentation > indentation, var last = entries.popLast() {
                last.text += " " + line.text.trimmed
                entries.append(last)
            } else {
                entries.append(HeaderEntry(line: line.number, text: line.text.trimmed))
            }
        }
        return entries
    }

    func requiredEntries(of name: Name) throws(MalformedReportHeader) -> [HeaderEntry] {
        let entries = entries(of: name)
        if entries.isEmpty { throw missing(name) }
        return entries
    }

    /// A section's lines without the indentation that they share; nil if there
    /// are none.
    func text(of name: Name) -> String? {
        let lines = lines[name] ?? []
        let indentation = lines.filter { !$0.text.isEmpty }.map(\.indentation).min() ?? 0
        let text = lines.map { String($0.text.dropFirst(indentation)) }.joined(separator: "\n").trimmed
        return text.isEmpty ? nil : text
    }

    func requiredText(of name: Name) throws(MalformedReportHeader) -> String {
        guard let text = text(of: name) else { throw missing(name) }
        return text
    }

    private func missing(_ name: Name) -> MalformedReportHeader {
        MalformedReportHeader(
            line: line(of: name), what: "the header says nothing under \(name.rawValue)",
            hint: "every report has a title, a question, Grain, Columns and Example, in the comment lines that the "
                + "file begins with; receiptmill report --show-sql refunds prints one to copy")
    }

    private mutating func note(_ line: Int, _ what: String) {
        let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
        problem =
            problem
            ?? MalformedReportHeader(
                line: line, what: what,
                hint: "the sections are \(names), each once; what belongs to one is indented by spaces")
    }

    /// `Grain: one row per …` gives "Grain" and the rest.
    private static func sectionStart(_ text: String) -> (name: String, rest: String)? {
        guard let colon = text.firstIndex(of: ":"), text.first?.isUppercase == true,
            text[..<colon].allSatisfy(\.isLetter)
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]).trimmed)
    }
}
