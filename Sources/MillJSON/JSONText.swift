/// Creates JSON for writers that assemble their text themselves.
package enum JSONText {
    /// A string literal of RFC 8259.
    package static func quoted(_ string: String) -> String {
        var json = JSONWriter()
        json.value(string)
        return json.text
    }

    /// An object whose members' values are already JSON.
    package static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { quoted($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
    }

    package static func appendQuoted(_ string: String, to text: inout String) { text += quoted(string) }
}
