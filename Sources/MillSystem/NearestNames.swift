/// The known names most similar to a mistyped one, the most similar first.
///
/// A name is similar if few single-character edits lead to it, or if it contains the typed text. Very long names are
/// left out: nobody types them, they may come from archives, and the time of a comparison grows with their length.
package func nearestNames(to typed: String, among names: [String], limit: Int = 3) -> [String] {
    let allowance = max(2, typed.count / 3)
    return
        names
        .filter { $0.utf8.count <= maximumNameBytes }
        .map { name in
            let distance = editDistance(typed, name)
            return (name: name, distance: name.contains(typed) && typed.count > 2 ? min(distance, 1) : distance)
        }
        .filter { $0.distance <= allowance }
        // Among names that contain the text, the shortest is the most similar.
        .sorted { ($0.distance, $0.name.count, $0.name) < ($1.distance, $1.name.count, $1.name) }
        .prefix(limit)
        .map(\.name)
}

private let maximumNameBytes = 512

/// The sentence `did you mean one, another? ` with the names most similar to a mistyped one; empty if there are none.
package func suggestion(for typed: String, among names: [String], limit: Int = 3) -> String {
    let near = nearestNames(to: typed, among: names, limit: limit)
    return near.isEmpty ? "" : "did you mean \(near.joined(separator: ", "))? "
}

/// The Levenshtein distance between two short texts.
private func editDistance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (index, character) in first.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in second.indices {
            let substitution = diagonal + (character == second[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
        }
    }
    return row[second.count]
}
