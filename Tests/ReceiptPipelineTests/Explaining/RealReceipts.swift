internal import Foundation

/// Real receipts with what an independent reader found in them. They belong to
/// others and are not part of the project: `RECEIPTMILL_CORPUS` names their
/// folder, else a folder `shared/corpus` beside the checkout is taken.
enum RealReceipts {
    static let absent = "the corpus of real receipts is absent: set RECEIPTMILL_CORPUS to its folder"

    static let folder: URL? = {
        if let path = ProcessInfo.processInfo.environment["RECEIPTMILL_CORPUS"] {
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        var place = URL(filePath: #filePath)
        while place.path != "/" {
            place.deleteLastPathComponent()
            let candidate = place.appending(path: "shared/corpus")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
        }
        return nil
    }()

    static var isPresent: Bool { folder != nil }

    /// Names of all receipts of a kind that expectation files name.
    static func names(ofKind kind: String) -> [String] {
        guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return []
        }
        return files.filter { $0.hasSuffix(".b64") }.map { String($0.dropLast(4)) }.sorted()
            .filter { (try? expectation($0)["kind"] as? String) == kind }
    }

    static func path(_ name: String) -> String { folder?.appending(path: "\(name).b64").path ?? name }

    static func bytes(_ name: String) throws -> Data {
        let text = try Data(contentsOf: URL(filePath: path(name)))
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
    }

    static func expectation(_ name: String) throws -> [String: Any] {
        guard let folder else { return [:] }
        let data = try Data(contentsOf: folder.appending(path: "\(name).expected.json"))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
}

/// OpenSSL's command-line tool: a reader that shares no code with the project's.
enum OpenSSLTool {
    static func run(_ arguments: [String], input: Data) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appending(path: "receiptmill-\(UUID().uuidString)")
        try input.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments + ["-in", file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }

    static func text(_ arguments: [String], input: Data) throws -> String {
        String(decoding: try run(arguments, input: input), as: UTF8.self)
    }
}
