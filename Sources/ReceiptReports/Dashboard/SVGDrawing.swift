internal import Foundation
internal import MillSystem

/// An SVG element under construction. Colours come from the page's style sheet,
/// by the classes of series.
struct SVGDrawing {
    /// Width of a character of a label, at most, for what has to fit.
    static let characterWidth = 6.8

    enum Anchor: String { case start, middle, end }

    private var content = ""

    static func number(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return rounded == rounded.rounded() ? String(format: "%.0f", rounded) : String(format: "%.1f", rounded)
    }

    static func width(of text: String) -> Double { Double(TerminalText.width(of: text)) * characterWidth }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class name: String) {
        content +=
            "<line class=\"\(name)\" x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\""
            + " x2=\"\(Self.number(x2))\" y2=\"\(Self.number(y2))\"/>\n"
    }

    mutating func text(_ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, class name: String? = nil) {
        content +=
            "<text\(name.map { " class=\"\($0)\"" } ?? "") x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
            + "\(anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\"")>\(HTMLText.harmless(text))</text>\n"
    }

    /// - Parameter title: what a pointer that rests on the bar is told.
    mutating func bar(_ x: Double, _ y: Double, _ width: Double, _ height: Double, class name: String, title: String) {
        content +=
            "<rect class=\"\(name)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\""
            + " height=\"\(Self.number(height))\"><title>\(HTMLText.harmless(title))</title></rect>\n"
    }

    mutating func dot(_ x: Double, _ y: Double, class name: String, title: String) {
        content +=
            "<circle class=\"\(name)\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"2.5\">"
            + "<title>\(HTMLText.harmless(title))</title></circle>\n"
    }

    mutating func path(_ data: String, class name: String, title: String) {
        content += "<path class=\"\(name)\" d=\"\(data)\"><title>\(HTMLText.harmless(title))</title></path>\n"
    }

    /// `M` and `L` commands through points.
    static func path(through points: [(x: Double, y: Double)]) -> String {
        points.enumerated().map { "\($0.offset == 0 ? "M" : "L")\(number($0.element.x)) \(number($0.element.y))" }
            .joined()
    }

    /// The element, which tells its title and description to who can't see it.
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
