/// Values by key, in the order in which their keys first occurred.
struct Distinct<Value> {
    private(set) var values: [Value] = []
    private var places: [String: Int] = [:]

    /// The value of a key, which begins as given.
    subscript(key: String, default value: @autoclosure () -> Value) -> Value {
        get { places[key].map { values[$0] } ?? value() }
        set {
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
