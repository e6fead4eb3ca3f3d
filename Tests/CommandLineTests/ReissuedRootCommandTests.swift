internal import Foundation
internal import TestSupport
internal import Testing

/// A root for which another certificate was issued, as `--trust` takes it.
@Suite struct ReissuedRootCommandTests {
    @Test("A database whose anchor was a fingerprint is regraded under another certificate of the root, and checked")
    func regrade() throws {
        let store = try SignedStringStore()
        let other = try ThrowAwayCertificate(SignedStringStore.root.with { $0.serial = 99 }, key: store.root.key)
        let workdir = try Workdir()
        let lines = try (1...3).map { try store.sign(SignedStringStore.transaction("\($0)")) + "\n" }.joined()
        let archive = try workdir.write(lines, to: "signed.jsonl")
        let file = try workdir.write(other.der, to: "other.der")
        let hex = try #require(try workdir.openssl("dgst", "-sha256", "-r", "other.der")).prefix(64)
        let database = ["--database", workdir.path("mill.sqlite"), "--quiet"]
        let loaded = try Mill.run(["ingest", archive, "--trust", "sha256:\(hex)", "--keep-receipts"] + database)
        #expect(loaded.status == 0, "\(loaded)")
        #expect(try Mill.run(["check", "--trust", "sha256:\(hex)"] + database).status == 0)
        #expect(try Mill.run(["check", "--trust", file] + database).status == 65)

        let regraded = try Mill.run(["regrade", "--database", workdir.path("mill.sqlite"), "--trust", file])
        #expect(regraded.status == 0 && regraded.output.contains("untrusted_root to trusted: 3\n"), "\(regraded)")
        #expect(try Mill.run(["check", "--trust", file] + database).status == 0)
        #expect(try Mill.run(["verify", archive, "--trust", file]).status == 0)
        #expect(try Mill.run(["verify", archive, "--trust", "sha256:\(hex)"]).status == 1)
    }
}
