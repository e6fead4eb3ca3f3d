internal import Foundation
internal import TestSupport
internal import Testing

/// Tests of nights: a folder with a pipeline file, the archives that come into it, and what a run leaves there.
protocol NightFolder {
    var workdir: Workdir { get }
}

extension NightFolder {
    /// Writes the pipeline file.
    func write(_ more: String = "", archives: String = "  - path: in/*.gz\n") throws -> String {
        try workdir.write(
            "database: mill.sqlite\ncreate: true\ntrust: {anchors: [\(Samples.root)]}\narchives:\n\(archives)\(more)",
            to: "night.yaml"
        )
    }

    func deliver(_ name: String = "a.gz") throws {
        try FileManager.default.createDirectory(
            at: workdir.url.appending(path: "in"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Samples.archive, toPath: workdir.path("in/\(name)"))
    }

    /// Rows of the database that the night fills.
    func lines(_ sql: String) throws -> [String] { try Stored(workdir.path("mill.sqlite")).lines(sql) }

    /// Log records in JSON, numbers as their text.
    func records(_ errors: String) throws -> [[String: String]] {
        try errors.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(object, "\(line)").mapValues { "\($0)" }
        }
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: workdir.path(name)) }
}
