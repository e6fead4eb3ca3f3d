internal import Foundation
internal import Logging
internal import MillJSON

/// The form of log records: text for people, or JSON lines for machines.
enum LogFormat: String, CaseIterable {
    case text, json
}

/// Writes log records to standard error.
struct LogOutput: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    private let format: LogFormat

    init(format: LogFormat, level: Logger.Level) {
        self.format = format
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { _, new in new }
        switch format {
        case .text:
            // The other fields are for programs: the message states the same facts in words.
            let hint = fields["hint"].map { "\nhint: \($0)" } ?? ""
            Console.complain("\(event.message)\(hint)", as: event.level.priority)
        case .json:
            var members = [
                ("time", Self.time), ("level", event.level.rawValue), ("message", event.message.description),
            ].map { ($0, JSONText.quoted($1)) }
            members += fields.sorted { $0.key < $1.key }.map { ($0.key, Self.json($0.value)) }
            Console.log(JSONText.object(members) + "\n", as: event.level.priority)
        }
    }

    /// A number stays a number in JSON; any other value becomes a string.
    private static func json(_ value: Logger.Metadata.Value) -> String {
        if case .stringConvertible(let number as any FixedWidthInteger & Sendable) = value { return "\(number)" }
        return JSONText.quoted(value.description)
    }

    /// Date, time and zone, as RFC 3339 writes them.
    private static var time: String { Date().ISO8601Format(.init(includingFractionalSeconds: true)) }
}
