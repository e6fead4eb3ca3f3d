/// A value whose changed copy is made in one expression.
protocol Changeable {}

extension Changeable {
    func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}
