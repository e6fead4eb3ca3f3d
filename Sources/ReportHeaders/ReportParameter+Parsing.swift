internal import MillSystem

extension ReportParameter {
    /// Reads an entry such as `:from  date  2008-07-10  first day that counts`.
    package init(parsing entry: HeaderEntry) throws(MalformedReportHeader) {
        let form = "write a parameter as: :name  type  default  meaning, or :name  type(values)  default  meaning"
        func malformed(_ message: String, hint: String? = nil) -> MalformedReportHeader {
            MalformedReportHeader(line: entry.line, message: message, hint: hint ?? form)
        }
        var fields = HeaderFields(entry.text)
        guard let name = fields.next(), let type = fields.nextType(), let value = fields.next() else {
            throw malformed("a parameter lacks type or default")
        }
        guard name.text.hasPrefix(":"), HeaderFields.isIdentifier(name.text.dropFirst()) else {
            throw malformed("\(name.text) is no parameter's name")
        }
        guard let kind = ParameterKind(rawValue: type.name) else {
            throw malformed(
                "\(name.text) has the unknown type \(type.name)",
                hint: "a parameter's type is one of " + ParameterKind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        guard let range = type.detail.map({ Self.range($0, of: kind) }) ?? .any else {
            throw malformed(
                "\(name.text) can't be told what it takes by \(type.name)(\(type.detail ?? ""))",
                hint: "write text(one, another) or texts(one, another) for its values, and integer(1..), real(0..1), "
                    + "date(:from..) or the like for its bounds")
        }
        guard !fields.rest.isEmpty else { throw malformed("\(name.text) has no meaning") }
        let word = value.isQuoted ? nil : value.text
        self.init(
            name: String(name.text.dropFirst()), kind: kind, range: range,
            defaultText: word == "null" || word == "required" ? nil : value.text, isRequired: word == "required",
            meaning: fields.rest)
        guard let defaultText else { return }
        do throws(UnfitValue) { _ = try self.value(of: defaultText) } catch {
            throw malformed("the default of \(name.text), \(defaultText), \(error.message)")
        }
    }

    /// Reads `low, medium, high`, or a range such as `0..400` with one or both bounds; nil if the text is not a range
    /// of the kind.
    private static func range(_ text: String, of kind: ParameterKind) -> ParameterRange? {
        if kind == .text || kind == .texts {
            let values = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
            let isOdd = Set(values).count < values.count || values.contains { $0.isEmpty || $0.contains("..") }
            return isOdd ? nil : .values(values)
        }
        let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(\.trimmed)
        guard kind.isOrdered, ends.count == 2, ends != ["", ""] else { return nil }
        let bounds = ends.map { end -> ParameterBound? in
            end.hasPrefix(":") ? .parameter(String(end.dropFirst())) : end.isEmpty ? nil : .value(end)
        }
        let isReadable = bounds.allSatisfy { bound in
            switch bound {
            case .parameter(let name): HeaderFields.isIdentifier(name)
            case .value(let text): kind.accepts(text)
            case nil: true
            }
        }
        return isReadable ? .bounds(minimum: bounds[0], maximum: bounds[1]) : nil
    }

    /// Refuses a bound that names a missing parameter, or a parameter of another type.
    package static func checkBounds(_ parameters: [ReportParameter], lines: [Int]) throws(MalformedReportHeader) {
        for (parameter, line) in zip(parameters, lines) {
            guard case .bounds(let minimum, let maximum) = parameter.range else { continue }
            for case .parameter(let name)? in [minimum, maximum] {
                let isOther = { (other: ReportParameter) in other.name == name && other.kind == parameter.kind }
                guard name == parameter.name || !parameters.contains(where: isOther) else { continue }
                throw MalformedReportHeader(
                    line: line,
                    message: ":\(parameter.name) is bounded by :\(name), which is no other parameter of its type",
                    hint: "name a parameter of the type \(parameter.kind.rawValue), or a value")
            }
        }
    }
}
