/// Values by key, in the order in which their keys first occurred.
struct Distinct<Value> {
    private(set) var values: [Value] = []
    private var places: [String: Int] = [:]

    /// A value is set, never taken away.
    subscript(key: String) -> Value? {
        get { places[key].map { values[$0] } }
        set {
            guard let newValue else { return }
            if let place = places[key] {
                values[place] = newValue
            } else {
                places[key] = values.count
                values.append(newValue)
            }
        }
    }
}

/// When something was presented first and last.
struct Seen: Sendable {
    var first, last: CalendarTime

    init(_ time: CalendarTime) { (first, last) = (time, time) }

    mutating func add(_ other: Seen) { (first, last) = (min(first, other.first), max(last, other.last)) }
}
