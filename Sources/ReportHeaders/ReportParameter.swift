/// The type of a parameter, which decides how its text is read and bound.
package enum ParameterKind: String, Sendable, Hashable, CaseIterable {
    case text
    /// Texts separated by commas.
    case texts
    case integer
    case real
    /// A day, such as `2024-02-29`, bound as text.
    case date
    /// A month, such as `2024-02`, bound as text.
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

/// A bound of a parameter's values.
package enum ParameterBound: Sendable, Hashable {
    /// A text of the parameter's own type.
    case value(String)
    /// The value of another parameter of the same type.
    case parameter(String)
}

/// The allowed values of a parameter, among all values of its type.
package enum ParameterRange: Sendable, Hashable {
    case any
    case values([String])
    case bounds(minimum: ParameterBound?, maximum: ParameterBound?)
}

/// A parameter that can be set for a run of a report.
package struct ReportParameter: Sendable, Hashable {
    /// The name without the colon that SQL puts before a parameter.
    package var name: String
    package var kind: ParameterKind
    package var range = ParameterRange.any
    /// The value that the statement uses if the parameter is not set; nil for null.
    ///
    /// The statement itself contains its defaults, so that it gives the same answer in any shell. The header repeats
    /// them for people.
    package var defaultText: String?
    /// Whether a value has to be given. The value of the first required parameter may also follow the report's name.
    package var isRequired = false
    package var meaning: String
}

extension ReportParameter {
    /// The meaning and the allowed values, as text for people.
    package var description: String {
        switch range {
        case .any: return meaning
        case .values(let values):
            let count = kind == .texts ? "one or more" : "one"
            return "\(meaning); \(count) of \(values.joined(separator: ", "))"
        case .bounds(let minimum, let maximum):
            let ends = [
                minimum.map { "\(kind.isTime ? "not before" : "at least") \($0.text)" },
                maximum.map { "\(kind.isTime ? "not after" : "at most") \($0.text)" },
            ]
            return ([meaning] + ends.compactMap(\.self)).joined(separator: "; ")
        }
    }
}

extension ParameterBound {
    /// The bound as written in the header, without the colon before a parameter.
    package var text: String {
        switch self {
        case .value(let text), .parameter(let text): text
        }
    }
}
