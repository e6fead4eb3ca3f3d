/// A fault of a property list, or of the transaction receipt in it.
public enum PropertyListFault: Sendable, Hashable {
    /// The text is JSON instead of a property list.
    case json
    /// The text exceeds ``PropertyList/maximumCount``.
    case tooLarge
    /// The members exceed ``PropertyList/maximumMembers``.
    case tooManyMembers
    /// A key occurs twice in the dictionary.
    case duplicateKey
    /// A key contains a backslash.
    case escapedKey
    /// The grammar requires this ASCII character, and another was found.
    case expected(UInt8)
    /// A value is neither string nor dictionary.
    case expectedValue
    /// A string lacks its closing quote.
    case unclosedString
    /// A comment lacks its end.
    case unclosedComment
    /// A backslash begins no valid escape, or one for NUL or an octal above ASCII.
    case invalidEscape
    /// The value of a required key is absent or empty.
    case missing(TransactionKey)
    /// A value does not have its key's form, or is a dictionary.
    case invalidValue(TransactionKey)
    /// The version of the signature is this one instead of 2 or 3.
    case signatureVersion(UInt8)

    /// The fault in words.
    var reason: String {
        switch self {
        case .json: "JSON where a transaction receipt is a property list, as known forgery tools write"
        case .tooLarge: "a property list of more than \(PropertyList.maximumCount) bytes"
        case .tooManyMembers: "a property list with more than \(PropertyList.maximumMembers) members"
        case .duplicateKey: "a key of the property list stands twice"
        case .escapedKey: "a key of the property list holds an escape"
        case .expected(let byte): "the property list lacks a '\(Unicode.Scalar(byte))'"
        case .expectedValue: "the property list lacks a string or a dictionary"
        case .unclosedString: "a string of the property list is not closed"
        case .unclosedComment: "a comment of the property list is not closed"
        case .invalidEscape: "an escape of the property list that stands for no character"
        case .missing(let key): "the transaction receipt has no \(key.rawValue)"
        case .invalidValue(let key): "the value of \(key.rawValue) is not of its form"
        case .signatureVersion(let version): "a transaction receipt's signature of version \(version), not 2 or 3"
        }
    }
}
