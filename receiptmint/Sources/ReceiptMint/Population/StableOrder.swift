extension Sequence {
    /// Sorted by a moment; elements of one moment stay in their order, which the library's sort doesn't promise.
    func stablySorted(by time: (Element) -> CalendarTime) -> [Element] {
        enumerated().sorted { (time($0.element), $0.offset) < (time($1.element), $1.offset) }.map(\.element)
    }
}
