import Foundation
import PackagePlugin

/// Compiles every file of `sql/` into the target that uses the plugin, under its path relative to `sql/`. The next
/// build includes changed files; new files are included once `Package.swift` is touched.
@main
struct EmbedSQLPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "sql")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedSQL.swift")
        let files =
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
            .filter { $0.pathExtension == "sql" }
            .sorted { $0.path < $1.path } ?? []
        return [
            .buildCommand(
                displayName: "Embedding sql/",
                executable: try context.tool(named: "EmbedSQL").url,
                arguments: [folder.path, output.path] + files.map(\.path),
                inputFiles: files,
                outputFiles: [output])
        ]
    }
}
