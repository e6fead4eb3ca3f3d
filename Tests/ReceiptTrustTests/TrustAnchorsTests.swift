import ReceiptTrust
import TestSupport
import Testing

@Suite("Trust anchors")
struct TrustAnchorsTests {
    /// Certificates by OpenSSL's tool, and their fingerprints by its digests.
    private func certificates(_ names: [String]) throws -> (workdir: Workdir, fingerprints: Set<String>) {
        let store = try Workdir()
        var fingerprints: Set<String> = []
        for name in names {
            _ = try #require(
                try store.openssl(
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(name).key", "-out", "\(name).pem",
                    "-subj", "/CN=\(name)"))
            _ = try #require(
                try store.openssl("x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der"))
            let digest = try #require(try store.openssl("dgst", "-sha256", "-r", "\(name).der"))
            fingerprints.insert(String(digest.prefix(64)))
        }
        return (store, fingerprints)
    }

    private func inserted(_ file: [UInt8]) throws -> (count: Int, anchors: TrustAnchors) {
        var anchors = TrustAnchors()
        return (try anchors.insertCertificates(of: file), anchors)
    }

    @Test("are one certificate in DER, or any number in PEM")
    func readsFiles() throws {
        let (workdir, fingerprints) = try certificates(["one", "two"])
        let der = try inserted(workdir.read("one.der"))
        #expect(der.count == 1)
        let pem = try inserted(workdir.read("one.pem"))
        #expect(pem.count == 1)
        #expect(pem.anchors == der.anchors)
        let text = try workdir.openssl("x509", "-in", "two.pem", "-text") ?? ""
        let bundle = try inserted(Array("A bundle\n".utf8) + workdir.read("one.pem") + Array("\n# two\n\(text)".utf8))
        #expect(bundle.count == 2)
        #expect(Set(bundle.anchors.fingerprints.map(\.hex)) == fingerprints)
        #expect(try bundle.anchors.certificates == [workdir.read("one.der"), workdir.read("two.der")])
    }

    @Test("are not made of other files")
    func refusesRubbish() throws {
        let (workdir, _) = try certificates(["one"])
        let der = try workdir.read("one.der")
        let pem = try workdir.read("one.pem")
        for file: [UInt8] in [
            [], [0x30], Array("rubbish".utf8), [UInt8](repeating: 0, count: 1000), Array(der.dropLast()), der + [0],
            Array(pem.dropLast(60)), try workdir.read("one.key"), [0x30, 0x80, 0, 0],
        ] {
            let found = try inserted(file)
            #expect(found.count == 0)
            #expect(found.anchors == TrustAnchors())
        }
    }

    @Test("are Apple's root by default, of which the certificate itself has the fingerprint")
    func knowsApple() throws {
        #expect(
            TrustAnchors.apple.fingerprints.map(\.hex)
                == ["b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"])
        #expect(TrustAnchors.apple.certificates.isEmpty)
        #expect(TrustAnchors().fingerprints.isEmpty)
    }

    @Test("add up")
    func unites() throws {
        let (workdir, fingerprints) = try certificates(["one"])
        var anchors = TrustAnchors.apple
        anchors.formUnion(try inserted(workdir.read("one.der")).anchors)
        #expect(Set(anchors.fingerprints.map(\.hex)).isSuperset(of: fingerprints))
        #expect(anchors.fingerprints.count == 2 && anchors.certificates.count == 1)
    }
}
