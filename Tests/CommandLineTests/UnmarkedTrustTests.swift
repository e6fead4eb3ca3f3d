internal import TestSupport
internal import Testing

/// `--trust-without-markers`: roots of a test store that can't write Apple's markers.
@Suite struct UnmarkedTrustTests {
    private let workdir: Workdir
    private var database: String { workdir.path("mill.sqlite") }
    /// `missing_markers` in the truth.json of the sample.
    private let receiptsWithoutMarkers = 6

    init() throws { workdir = try Workdir() }

    @Test("A database is regraded and checked under the option")
    func regrade() throws {
        let loaded = try Mill.run(
            ["ingest", Samples.archive, "--trust", Samples.root, "--keep-receipts", "--database", database, "--quiet"])
        #expect(loaded.status == 0)
        let unmarked = ["--database", database, "--trust-without-markers", Samples.root]

        let regraded = try Mill.run(["regrade"] + unmarked)
        #expect(regraded.output.contains("wrong_purpose to trusted: \(receiptsWithoutMarkers)\n"), "\(regraded)")
        #expect(try Mill.run(["check", "--quiet"] + unmarked).status == 0)
        let marked = try Mill.run(["check", "--quiet", "--database", database, "--trust", Samples.root])
        #expect(marked.status == 65)
        #expect(marked.output.contains(": \(receiptsWithoutMarkers)\n"), "\(marked)")
    }

    @Test("Apple's roots are refused under the option", arguments: ["ingest", "decode"])
    func apple(command: String) throws {
        for root in [
            "apple", "sha256:b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
            "sha256:c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
            "sha256:63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
        ] {
            var arguments = [command, Samples.archive, "--trust-without-markers", root]
            if command == "ingest" { arguments += ["--database", database] }
            let result = try Mill.run(arguments)
            #expect(result.status == 64)
            #expect(result.errors.contains("Apple's root needs the markers"), "\(root): \(result.errors)")
        }
    }
}
