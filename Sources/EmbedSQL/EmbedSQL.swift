import Foundation

/// Writes Swift source code that contains SQL files as string literals.
///
/// Arguments: the folder to which paths are relative, the file to write, the files to embed.
@main
struct EmbedSQL {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else {
            throw CocoaError(.fileNoSuchFile)
        }
        let folder = arguments[1] + "/"
        var source = "let embeddedSQLFiles: [(path: String, text: String)] = [\n"
        for file in arguments.dropFirst(3) {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let path = file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file
            source += "    (\"\(path)\", ###\"\"\"\n\(text)\n\"\"\"###),\n"
        }
        source += "]\n"
        try source.write(toFile: arguments[2], atomically: true, encoding: .utf8)
    }
}
