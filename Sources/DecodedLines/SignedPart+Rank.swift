internal import SignedDataFormat

extension SignedPart {
    /// The part's place in the order in which a document's parts are read and written.
    var rank: Int {
        switch self {
        case .transaction: 0
        case .renewal: 1
        case .appTransaction: 2
        }
    }
}
