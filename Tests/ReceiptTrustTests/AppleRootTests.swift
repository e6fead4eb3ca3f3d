import Foundation
import ReceiptFormat
import TestSupport
import Testing

@testable import ReceiptTrust

@Suite("A root of Apple's")
struct AppleRootTests {
    private let digest: MessageDigest

    init() throws { digest = try MessageDigest() }

    /// Apple Root CA - G2 as Apple publishes it (AppleRootCA-G2.cer), in base64.
    private static let rootG2 = """
        MIIFkjCCA3qgAwIBAgIIAeDltYNno+AwDQYJKoZIhvcNAQEMBQAwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEcyMSYwJAYD
        VQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQw
        NDMwMTgxMDA5WhcNMzkwNDMwMTgxMDA5WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzIxJjAkBgNVBAsMHUFwcGxlIENl
        cnRpZmljYXRpb24gQXV0aG9yaXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzCCAiIwDQYJKoZIhvcNAQEBBQAD
        ggIPADCCAgoCggIBANgREkhI2imKScUcx+xuM23+TfvgHN6sXuI2pyT5f1BrTM65MFQn5bPW7SXmMLYFN14UIhHF6Kob0vuy0gmV
        OKTvKkmMXT5xZgM4+xb1hYjkWpIMBDLyyED7Ul+f9sDx47pFoFDVEovy3d6RhiPw9bZyLgHaC/YuOQhfGaFjQQscp5TBhsRTL3b2
        CtcM0YM/GlMZ81fVJ3/8E7j4ko380yhDPLVoACVdJ2LT3VXdRCCQgzWTxb+4Gftr49wIQuavbfqeQMpOhYV4SbHXw8EwOTKrfl+q
        04tvny0aIWhwZ7Oj8ZhBbZF8+NfbqOdfIRqMM78xdLe40fTgIvS/cjTf94FNcX1RoeKz8NMoFnNvzcytN31O661A4T+B/fc9Cj6i
        8b0xlilZ3MIZgIxbdMYs0xBTJh0UT8TUgWY8h2czJxQI6bR3hDRSj4n4aJgXv8O7qhOTH11UL6jHfPsNFL4VPSQ08prcdUFmIrQB
        1guvkJ4M6mL4m1k8COKWNORj3rw31OsMiANDC1CvoDTdUE0V+1ok2Az6DGOeHwOx4e7hqkP0ZmUoNwIx7wHHHtHMn23KVDpA287P
        T0aLSmWaasZobNfMmRtHsHLDd4/E92GcdB/O/WuhwpyUgquUoue9G7q5cDmVF8Up8zlYNPXEpMZ7YLlmQ1A/bmH8DvmGqmAMQ0uV
        AgMBAAGjQjBAMB0GA1UdDgQWBBTEmRNsGAPCe8CjoA1/coB6HHcmjTAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBBjAN
        BgkqhkiG9w0BAQwFAAOCAgEAUabz4vS4PZO/Lc4Pu1vhVRROTtHlznldgX/+tvCHM/jvlOV+3Gp5pxy+8JS3ptEwnMgNCnWefZKV
        fhidfsJxaXwU6s+DDuQUQp50DhDNqxq6EWGBeNjxtUVAeKuowM77fWM3aPbn+6/Gw0vsHzYmE1SGlHKy6gLti23kDKaQwFd1z4xC
        fVzmMX3zybKSaUYOiPjjLUKyOKimGY3xn83uamW8GrAlvacp/fQ+onVJv57byfenHmOZ4VxG/5IFjPoeIPmGlFYl5bRXOJ3riGQU
        IUkhOb9iZqmxospvPyFgxYnURTbImHy99v6ZSYA7LNKmp4gDBDEZt7Y6YUX6yfIjyGNzv1aJMbDZfGKnexWoiIqrOEDCzBL/FePw
        N983csvMmOa/orz6JopxVtfnJBtIRD6e/J/JzBrsQzwBvDR4yGn1xuZW7AYJNpDrFEobXsmII9oDMJELuDY++ee1KG++P+w8j2Ud
        5cAeh6Squpj9kuNsJnfdBrRkBof0Tta6SqoWqPQFZ2aWuuJVecMsXUmPgEkrihLHdoBR37q9ZV0+N0djMenl9MU/S60EinpxLK8J
        QzcPqOMyT/RFtm2XNuyE9QoB6he7hY1Ck3DDUOUUi78/w0EP3SIEIwiKum1xRKtzCTrJ+VKACd+66eYWyi4uTLLT3OUEVLLUNIAy
        tbwPF+E=
        """

    /// Apple Root CA - G3 (AppleRootCA-G3.cer).
    private static let rootG3 = """
        MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQL
        DB1BcHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQwNDMw
        MTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRp
        ZmljYXRpb24gQXV0aG9yaXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49AgEGBSuBBAAiA2IA
        BJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtfTjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqX
        l5dvMVztK517IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySrMA8GA1UdEwEB/wQFMAMBAf8w
        DgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gAMGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWT
        xnS4at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM6BgD56KyKA==
        """

    private func der(_ base64: String) throws -> [UInt8] {
        [UInt8](try #require(Data(base64Encoded: base64, options: .ignoreUnknownCharacters)))
    }

    private func recognized(_ der: [UInt8]) throws -> AppleRoot? {
        AppleRoot.recognized(try #require(try Certificate(der: der, digest: digest)))
    }

    /// The certificate with another serial number, which nobody signed, but of the same name and key.
    private func renumbered(_ der: [UInt8], _ serial: [UInt8]) throws -> [UInt8] {
        let start = try #require(der.indices.first { Array(der[$0...].prefix(serial.count)) == serial })
        var changed = der
        changed[start + serial.count - 1] ^= 1
        return changed
    }

    private func fingerprint(_ der: [UInt8]) throws -> String {
        let workdir = try Workdir()
        try workdir.write(der, to: "root.der")
        return String(try #require(try workdir.openssl("dgst", "-sha256", "-r", "root.der")).prefix(64))
    }

    @Test("is recognized by its fingerprint, and by its name and key")
    func recognition() throws {
        let root = try #require(try PEM.certificates(in: AppleRootCertificate.pem, digest: digest).first).der
        for (der, serial, known) in [
            (root, [0x02, 0x01, 0x02], AppleRoot.root),
            (try self.der(Self.rootG2), [0x01, 0xe0, 0xe5, 0xb5, 0x83, 0x67, 0xa3, 0xe0], AppleRoot.rootG2),
            (try self.der(Self.rootG3), [0x2d, 0xc5, 0xfc, 0x88, 0xd2, 0xc5, 0x4b, 0x95], AppleRoot.rootG3),
        ] as [([UInt8], [UInt8], AppleRoot?)] {
            let known = try #require(known)
            #expect(try fingerprint(der) == known.fingerprint.hex)
            #expect(try recognized(der)?.fingerprint == known.fingerprint)
            #expect(try recognized(renumbered(der, serial))?.fingerprint == known.fingerprint)
        }
    }

    @Test("is none of the same name, and a refusal says which one a chain ends at")
    func refusals() throws {
        let g2 = try #require(try Certificate(der: der(Self.rootG2), digest: digest))
        let refusal = AppleRoot.refusal(of: g2)
        #expect(refusal.contains("sha256:c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050"))
        #expect(refusal.hasSuffix("root G2, below which the store signs neither receipts nor signed data"))
        let workdir = try Workdir()
        let subject = "/CN=Apple Root CA - G2/OU=Apple Certification Authority/O=Apple Inc./C=US"
        _ = try #require(
            try workdir.openssl(
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key", "-subj", subject, "-outform", "DER",
                "-out", "named.der"))
        let named = try #require(try Certificate(der: workdir.read("named.der"), digest: digest))
        #expect(named.subject == g2.subject)
        #expect(AppleRoot.refusal(of: named).hasSuffix("which is no anchor"))
    }

    @Test("is no anchor by default, but Apple Root CA and G3 are, and none has its markers waived")
    func anchors() throws {
        let g2 = try der(Self.rootG2)
        let published = TrustAnchors.apple.fingerprints.union(TrustAnchors.apple.signedDataFingerprints).map(\.hex)
        #expect(try !published.contains(fingerprint(g2)) && published.count == 2)
        #expect(TrustAnchors.apple.holdsRootOfApple && !TrustAnchors().holdsRootOfApple)
        let renumbered = try renumbered(g2, [0x01, 0xe0, 0xe5, 0xb5, 0x83, 0x67, 0xa3, 0xe0])
        #expect(try TrustAnchors(files: renumbered).holdsRootOfApple)
        #expect(try TrustAnchors(fingerprint: fingerprint(g2)).holdsRootOfApple)
        var united = TrustAnchors()
        united.formUnion(try TrustAnchors(files: renumbered))
        #expect(united.holdsRootOfApple)
        united.waiveMarkers()
        let root = try #require(try Certificate(der: renumbered, digest: digest))
        #expect(try !DecodedAnchors(united, digest: digest).waivesMarkers(below: root))
        let store = try ReceiptStore()
        #expect(try !TrustAnchors(files: store.der("root")).holdsRootOfApple)
    }
}
