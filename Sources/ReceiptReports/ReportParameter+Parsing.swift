extension ReportParameter {
    /// `:from  date  2008-07-10  first day that counts`
    init(parsing entry: HeaderEntry) throws(MalformedReportHeader) {
        let form = "write a parameter as: :name  type  default  meaning, or :name  type(values)  default  meaning"
        func malformed(_ what: String, hint: String? = nil) -> MalformedReportHeader {
            MalformedReportHeader(line: entry.line, what: what, hint: hint ?? form)
        }
        var fields = HeaderFields(entry.text)
        guard let name = fields.next(), let type = fields.nextType(), let value = fields.next() else {
            throw malformed("a parameter lacks type or default")
        }
        guard name.text.hasPrefix(":"), HeaderFields.isIdentifier(name.text.dropFirst()) else {
            throw malformed("\(name.text) is no parameter's name")
        }
        guard let kind = Kind(rawValue: type.name) else {
            throw malformed(
                "\(name.text) has the unknown type \(type.name)",
                hint: "a parameter's type is one of " + Kind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        guard let range = type.detail.map({ Self.range($0, of: kind) }) ?? .any else {
            throw malformed(
                "\(name.text) can't be told what it takes by \(type.name)(\(type.detail ?? ""))",
                hint: "write text(one, another) for its values, and integer(1..), real(0..1), date(:from..) or the "
                    + "like for its bounds")
        }
        let isNull = value.text == "null" && !value.isQuoted
        let isRequired = value.text == "required" && !value.isQuoted
        guard !fields.rest.isEmpty else { throw malformed("\(name.text) has no meaning") }
        self.init(
            name: String(name.text.dropFirst()), kind: kind, range: range,
            defaultText: isNull || isRequired ? nil : value.text, isRequired: isRequired, meaning: fields.rest)
        guard let defaultText else { return }
        do throws(UnfitValue) { _ = try self.value(of: defaultText) } catch {
            throw malformed("the default of \(name.text), \(defaultText), \(error.what)")
        }
    }

    /// `low, medium, high`, or `0..400` with a bound at either end or both; nil
    /// where the text is no range of the kind.
    private static func range(_ text: String, of kind: Kind) -> Range? {
        if kind == .text {
            let values = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
            let isOdd = Set(values).count < values.count || values.contains { $0.isEmpty || $0.contains("..") }
            return isOdd ? nil : .values(values)
        }
        let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard kind.isOrdered, ends.count == 2, ends != ["", ""] else { return nil }
        var bounds: [Bound?] = []
        for end in ends {
            if end.hasPrefix(":"), HeaderFields.isIdentifier(end.dropFirst()) {
                bounds.append(.parameter(String(end.dropFirst())))
            } else {
                guard end.isEmpty || kind.accepts(end) else { return nil }
                bounds.append(end.isEmpty ? nil : .value(end))
            }
        }
        return .bounds(least: bounds[0], greatest: bounds[1])
    }

    /// The parameters whose values this one is held against.
    private var bounding: [String] {
        guard case .bounds(let least, let greatest) = range else { return [] }
        return [least, greatest].compactMap { bound in
            if case .parameter(let name) = bound { name } else { nil }
        }
    }

    /// Refuses a parameter of a list that stands twice, or a bound that is none of
    /// the others or of another type.
    package static func check(_ parameters: [ReportParameter], lines: [Int]) throws(MalformedReportHeader) {
        for (place, parameter) in parameters.enumerated() {
            if parameters[..<place].contains(where: { $0.name == parameter.name }) {
                throw MalformedReportHeader(
                    line: lines[place], what: "the parameter :\(parameter.name) stands twice",
                    hint: "describe each parameter once")
            }
            for name in parameter.bounding {
                guard name != parameter.name,
                    parameters.contains(where: { $0.name == name && $0.kind == parameter.kind })
                else {
                    throw MalformedReportHeader(
                        line: lines[place],
                        what: ":\(parameter.name) is bounded by :\(name), which is no other parameter of its type",
                        hint: "name a parameter of the type \(parameter.kind.rawValue), or a value")
                }
            }
        }
    }
}
