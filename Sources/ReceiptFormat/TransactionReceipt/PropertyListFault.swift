/// What is wrong with a property list, or with the receipt that it is.
public enum PropertyListFault: Sendable, Hashable {
    /// JSON stands where the store writes a property list.
    case json
    /// Larger than ``PropertyList/maximumCount``.
    case tooLarge
    /// More members than ``PropertyList/maximumMembers``.
    case tooManyMembers
    case duplicateKey
    case escapedKey
    /// Another character stands where the grammar wants this one.
    case expected(UInt8)
    /// A value that is neither string nor dictionary.
    case expectedValue
    case unclosedString
    case unclosedComment
    case invalidEscape
    case missing(TransactionKey)
    /// A value that is not of its key's form, or a dictionary.
    case invalidValue(TransactionKey)
    /// A signature of a version that no store wrote.
    case signatureVersion(UInt8)

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
