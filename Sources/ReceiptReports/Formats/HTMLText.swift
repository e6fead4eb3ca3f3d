internal import MillSystem

/// Text as a page shows it.
enum HTMLText {
    /// A text that stands for itself, between tags and within quoted attributes.
    static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The same, with what could not be seen or would turn the text around made
    /// visible: names come from strangers.
    static func harmless(_ value: String) -> String { escaped(TerminalText.harmless(value)) }
}
