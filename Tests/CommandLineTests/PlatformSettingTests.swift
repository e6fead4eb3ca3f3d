internal import TestSupport
internal import Testing

/// First free versions of an app's platforms, as `--app` stores them.
@Suite struct PlatformSettingTests {
    @Test("Each platform of an app has its own version, and a version for all platforms replaces them")
    func stored() throws {
        let workdir = try Workdir()
        let database = workdir.path("mill.sqlite")
        func settings(after apps: String...) throws -> [String] {
            let result = try Mill.run(
                ["ingest", Samples.archive, "--trust", Samples.root, "--database", database, "--quiet", "--no-refresh"]
                    + apps.flatMap { ["--app", $0] })
            #expect(result.status == 0, "\(result)")
            return try Stored(database).lines(
                "SELECT bundle_id, platform, coalesce(first_free_version, '-') FROM app_setting ORDER BY 1, 2")
        }
        #expect(try settings(after: "a:100:ios", "a:2.0:macos", "b") == ["a|ios|100", "a|macos|2.0", "b||-"])
        #expect(try settings(after: "a") == ["a|ios|100", "a|macos|2.0", "b||-"])
        #expect(try settings(after: "a::ios", "a:3:tvos") == ["a|ios|100", "a|macos|2.0", "a|tvos|3", "b||-"])
        #expect(try settings(after: "a:4", "b:7:visionos") == ["a||4", "b|visionos|7"])
        // The setting for all platforms is kept for the platform that is named first.
        #expect(try settings(after: "a::macos") == ["a|macos|4", "b|visionos|7"])
    }

    @Test(
        "A platform that is named twice, or together with all platforms, is refused",
        arguments: [["a:1:ios", "a:2:ios"], ["a:1", "a:2:ios"]])
    func contradiction(apps: [String]) throws {
        let workdir = try Workdir()
        let result = try Mill.run(
            ["ingest", Samples.archive, "--database", workdir.path("mill.sqlite")] + apps.flatMap { ["--app", $0] })
        #expect(result.status == 64 && result.errors.contains("--app names a twice"), "\(result)")
    }
}
