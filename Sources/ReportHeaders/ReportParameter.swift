/// How a parameter's text is read and bound.
package enum ParameterKind: String, Sendable, Hashable, CaseIterable {
    case text
    case integer
    case real
    /// A day, `2024-02-29`, bound as text.
    case date
    /// A month, `2024-02`, bound as text.
    case month
    /// A month, or `all`, bound as text.
    case monthOrAll = "month_or_all"
    /// Three letters of ISO 4217, bound in capitals.
    case currency
    /// The bundle identifier of an app, or `all`.
    case bundle
    /// Environments separated by commas, or `all`.
    case environments
}

/// What a value may be from or up to.
package enum ParameterBound: Sendable, Hashable {
    /// A text of the parameter's own type.
    case value(String)
    /// The value of another parameter of the same type.
    case parameter(String)
}

/// Which values of its type a parameter takes.
package enum ParameterRange: Sendable, Hashable {
    case any
    case values([String])
    case bounds(least: ParameterBound?, greatest: ParameterBound?)
}

/// A value that can be set for a run of a report.
package struct ReportParameter: Sendable, Hashable {
    /// Name without the colon that SQL puts before it.
    package var name: String
    package var kind: ParameterKind
    package var range = ParameterRange.any
    /// What the statement takes where nothing is set; nil where that is null.
    ///
    /// The statement itself holds its defaults, so that it gives the same
    /// answer in any shell; the header repeats them for people.
    package var defaultText: String?
    /// Whether a value has to be given. The first such parameter may be given
    /// behind the report's name, too.
    package var isRequired = false
    package var meaning: String
}

extension ReportParameter {
    /// The meaning, and which values there are: for people.
    package var description: String {
        switch range {
        case .any: return meaning
        case .values(let values): return "\(meaning); one of \(values.joined(separator: ", "))"
        case .bounds(let least, let greatest):
            let ends = [
                least.map { "\(kind.isTime ? "not before" : "at least") \($0.text)" },
                greatest.map { "\(kind.isTime ? "not after" : "at most") \($0.text)" },
            ]
            return ([meaning] + ends.compactMap(\.self)).joined(separator: "; ")
        }
    }
}

extension ParameterBound {
    /// The bound as the header has it, without the colon.
    package var text: String {
        switch self {
        case .value(let text), .parameter(let text): text
        }
    }
}
