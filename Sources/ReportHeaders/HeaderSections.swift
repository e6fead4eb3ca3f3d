internal import MillSystem

/// A comment line of a header without its dashes, or an entry joined from several lines.
package struct HeaderEntry: Hashable {
    /// The number of the first line in the file.
    var line: Int
    var text: String

    var indentation: Int { text.prefix { $0 == " " }.count }
}

/// A header's lines, divided into sections by the section names.
package struct HeaderSections {
    package enum Name: String, CaseIterable {
        case aliases, grain, parameters, columns, shown, optional, total, triangle, chart, panel, notes, example

        /// The word that begins the section in a file.
        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

        init?(title: Substring) {
            guard let name = Self.allCases.first(where: { $0.title == title }) else { return nil }
            self = name
        }
    }

    /// The text before the first section, joined to one line.
    private(set) var preamble = ""
    private var lines: [Name: [HeaderEntry]] = [:]
    private var starts: [Name: Int] = [:]
    /// The first fault that was found while dividing the lines.
    private(set) var fault: MalformedReportHeader?
    private var lastLine = 1

    package init(lines allLines: some Sequence<HeaderEntry>) {
        var current: Name?
        var question: [String] = []
        for line in allLines {
            lastLine = line.line
            let start = line.indentation == 0 ? Self.sectionStart(line.text) : nil
            if let start, let name = Name(title: start.name) {
                if starts[name] != nil { note(line.line, "the section \(start.name) stands twice") }
                current = name
                starts[name] = line.line
                lines[name, default: []] +=
                    start.rest.isEmpty ? [] : [HeaderEntry(line: line.line, text: start.rest)]
            } else if let start, start.rest.isEmpty {
                note(line.line, "there is no section \(start.name)")
            } else if let current {
                if line.indentation == 0, !line.text.isEmpty {
                    note(line.line, "the line belongs to no section")
                }
                lines[current, default: []].append(line)
            } else if !line.text.isEmpty {
                question.append(line.text.trimmed)
            }
        }
        preamble = question.joined(separator: " ")
    }

    /// The line on which a section begins; the header's last line if the section is missing.
    func line(of name: Name) -> Int { starts[name] ?? lastLine }

    /// A fault of a whole section.
    func fault(of name: Name, _ message: String, hint: String) -> MalformedReportHeader {
        MalformedReportHeader(line: line(of: name), message: message, hint: hint)
    }

    /// The column names after "one row per".
    func grain() throws(MalformedReportHeader) -> [String] {
        let phrase = "one row per "
        let text = try requiredText(of: .grain).replacing("\n", with: " ")
        let names = text.hasPrefix(phrase) ? text.dropFirst(phrase.count).split(separator: ",").map(\.trimmed) : []
        guard !names.isEmpty, names.allSatisfy({ HeaderFields.isIdentifier($0) }) else {
            throw fault(of: .grain, "the grain names no columns", hint: "write: Grain: one row per column, column")
        }
        return names
    }

    /// The distinct names that a section lists; none if the section is missing.
    func list(of section: Name) throws(MalformedReportHeader) -> [String] {
        guard starts[section] != nil else { return [] }
        let names = (text(of: section) ?? "").split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        guard !names.contains(""), Set(names).count == names.count else {
            throw fault(
                of: section, "\(section.title) is no list of names, each of them once",
                hint: "write: \(section.title): one, another")
        }
        return names
    }

    /// A section's entries. A line that is indented further than the section's first line continues the entry above.
    func entries(of name: Name) -> [HeaderEntry] {
        let lines = (lines[name] ?? []).filter { !$0.text.isEmpty }
        let indentation = lines.first?.indentation ?? 0
        return lines.reduce(into: []) { entries, line in
            if line.indentation > indentation, !entries.isEmpty {
                entries[entries.count - 1].text += " " + line.text.trimmed
            } else {
                entries.append(HeaderEntry(line: line.line, text: line.text.trimmed))
            }
        }
    }

    /// A section's entries as values with unique names, and the entries' line numbers.
    package func values<Value>(
        of section: Name, _ parse: (HeaderEntry) throws(MalformedReportHeader) -> Value, named name: (Value) -> String
    ) throws(MalformedReportHeader) -> (values: [Value], lines: [Int]) {
        var values: [Value] = []
        let entries = entries(of: section)
        for entry in entries {
            let value = try parse(entry)
            if values.contains(where: { name($0) == name(value) }) {
                throw MalformedReportHeader(
                    line: entry.line, message: "the \(name(value)) stands twice", hint: "give each its own name")
            }
            values.append(value)
        }
        return (values, entries.map(\.line))
    }

    /// A section's lines without the indentation that all lines share; nil if there are no lines.
    func text(of name: Name) -> String? {
        let lines = lines[name] ?? []
        let indentation = lines.filter { !$0.text.isEmpty }.map(\.indentation).min() ?? 0
        let text = lines.map { $0.text.dropFirst(indentation) }.joined(separator: "\n").trimmed
        return text.isEmpty ? nil : text
    }

    func requiredText(of name: Name) throws(MalformedReportHeader) -> String {
        if let text = text(of: name) { return text }
        throw fault(
            of: name, "the header says nothing under \(name.title)",
            hint: "every report has a title, a question, Grain, Columns and Example, in the comment lines that the "
                + "file begins with; receiptmill report --show-sql refunds prints one to copy")
    }

    private mutating func note(_ line: Int, _ message: String) {
        guard fault == nil else { return }
        let names = Name.allCases.map(\.title).joined(separator: ", ")
        fault = MalformedReportHeader(
            line: line, message: message,
            hint: "the sections are \(names), each once; what belongs to one is indented by spaces")
    }

    /// Splits a line such as `Grain: one row per …` into "Grain" and the rest.
    private static func sectionStart(_ text: String) -> (name: Substring, rest: String)? {
        guard let colon = text.firstIndex(of: ":"), text.first?.isUppercase == true,
            text[..<colon].allSatisfy(\.isLetter)
        else { return nil }
        return (text[..<colon], text[colon...].dropFirst().trimmed)
    }
}
