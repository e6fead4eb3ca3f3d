/// Gauges in Prometheus' text format, each named `receiptmill_…`.
package struct GaugeText: Sendable {
    package private(set) var text = ""

    package init() {}

    package mutating func add(_ name: String, _ help: String, value: Double) {
        add(name, help, samples: [" \(value)"])
    }

    /// Adds one sample for each value of a label.
    package mutating func add(_ name: String, _ help: String, _ label: String, _ values: [(text: String, value: Int)]) {
        add(name, help, samples: values.map { "{\(label)=\"\(Self.escaped($0.text))\"} \($0.value)" })
    }

    private mutating func add(_ name: String, _ help: String, samples: [String]) {
        text += "# HELP receiptmill_\(name) \(help)\n# TYPE receiptmill_\(name) gauge\n"
        for sample in samples { text += "receiptmill_\(name)\(sample)\n" }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
