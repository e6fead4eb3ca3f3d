internal import Foundation
internal import MillSystem

/// An SVG element under construction. The page's style sheet gives colours to the classes of series.
struct SVGDrawing {
    /// The maximum width of a character of a label.
    static let characterWidth = 6.8

    enum Anchor: String { case start, middle, end }

    private var content = ""

    static func number(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return rounded == rounded.rounded() ? String(format: "%.0f", rounded) : String(format: "%.1f", rounded)
    }

    static func width(of text: String) -> Double { Double(TerminalText.width(of: text)) * characterWidth }

    static func maximumWidth(of texts: [String]) -> Double { texts.map(width(of:)).max() ?? 0 }

    /// Adds an element.
    ///
    /// - Parameter title: the lines that are shown when the pointer rests on the element.
    mutating func add(
        _ element: String, _ numbers: KeyValuePairs<String, Double>, class name: String, title: [String] = []
    ) {
        let attributes = numbers.map { " \($0)=\"\(Self.number($1))\"" }.joined()
        let lines = title.map(HTMLText.harmless).joined(separator: "\n")
        add(element, class: name, attributes, content: title.isEmpty ? nil : "<title>\(lines)</title>")
    }

    mutating func text(_ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, class name: String? = nil) {
        let anchor = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        add(
            "text", class: name, " x=\"\(Self.number(x))\" y=\"\(Self.number(y))\"" + anchor,
            content: HTMLText.harmless(text))
    }

    mutating func path(_ data: String, class name: String, title: String) {
        add("path", class: name, " d=\"\(data)\"", content: "<title>\(HTMLText.harmless(title))</title>")
    }

    private mutating func add(_ element: String, class name: String?, _ attributes: String, content inner: String?) {
        let start = "<\(element)\(name.map { " class=\"\($0)\"" } ?? "")\(attributes)"
        content += start + (inner.map { ">\($0)</\(element)>\n" } ?? "/>\n")
    }

    /// A path's commands `M` and `L` through points.
    static func path(through points: [(x: Double, y: Double)]) -> String {
        points.enumerated().map { "\($0.offset == 0 ? "M" : "L")\(number($0.element.x)) \(number($0.element.y))" }
            .joined()
    }

    /// The element, with title and description for readers who can't see the drawing.
    func element(id: String, class name: String, width: Double, height: Double, title: String, description: String)
        -> String
    {
        """
        <svg class="\(name)" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img" \
        aria-labelledby="\(id)-title \(id)-desc">
        <title id="\(id)-title">\(HTMLText.harmless(title))</title>
        <desc id="\(id)-desc">\(HTMLText.harmless(description))</desc>
        \(content)</svg>

        """
    }
}
