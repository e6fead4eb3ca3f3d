/// The reference documentation of pipeline files, made from the declarations of the keys.
package enum PipelineReference {
    /// A Markdown table for each mapping.
    package static var markdown: String {
        var text = ""
        append(Pipeline.descriptions, title: "The file", to: &text)
        return text
    }

    private static func append(_ keys: [KeyDescription], title: String, to text: inout String) {
        text += "## \(title)\n\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n"
        for key in keys {
            let standard = key.isRequired ? "required" : key.defaultText.map { "`\($0)`" } ?? ""
            text += "| `\(key.name)` | \(key.expected) | \(standard) | \(key.meaning) |\n"
        }
        for key in keys where !key.keys.isEmpty {
            let prefix = title.hasPrefix("`") ? title.dropFirst().dropLast() + "." : ""
            text += "\n"
            append(key.keys, title: "`\(prefix)\(key.name)\(key.isList ? "[]" : "")`", to: &text)
        }
    }
}
