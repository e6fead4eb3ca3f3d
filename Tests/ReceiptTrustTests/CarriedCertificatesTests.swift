import Foundation
import ReceiptFormat
import TestSupport
import Testing

@testable import ReceiptTrust

/// Some keys take OpenSSL a third of a millisecond to decode, and anyone may carry sixteen.
@Suite("A certificate that a container carries")
struct CarriedCertificatesTests {
    typealias Request = ReceiptStore.Request

    private static func expensive(_ issuer: String?) -> Request {
        Request(issuer: issuer, extensions: Request.authority()).with {
            $0.key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-521", "-pkeyopt", "ec_param_enc:explicit"]
        }
    }

    /// The names of the certificates that a chain's search decodes, of those carried.
    private func decoded(
        _ store: ReceiptStore, _ names: [String], below anchors: TrustAnchors
    ) throws -> [String] {
        let certificates = try names.map { try store.der($0) }
        var carried = CarriedCertificates(certificates.flatMap { $0 }, digest: try MessageDigest())
        let receipt = try ReadReceipt(store.receipt(carrying: []))
        let name = ChainInput(of: receipt.container, in: receipt.bytes.span).signerName
        let signer = try #require(try carried.signer(name))
        let issuers = try carried.issuers(of: [signer])
        let issued = try carried.issued(by: issuers, or: anchors.fingerprints)
        // What is handed over was decoded, and the signer.
        #expect(Set((issuers + issued + [signer]).map(\.fingerprint)).count == carried.decodedIndices.count)
        return carried.decodedIndices.map { names[$0] }
    }

    @Test("is decoded where its name is on a path, and never else")
    func decodesPathsAlone() throws {
        let store = try ReceiptStore()
        let anchors = try TrustAnchors(files: store.der("root"))
        try store.certificate("stray", Self.expensive(nil))
        try store.certificate("below-stray", Self.expensive("stray"))
        try store.certificate("beside", Request(issuer: "root", extensions: Request.authority()))
        let names = ["below-stray", "signer", "stray", "intermediate", "beside", "root"]
        #expect(try decoded(store, names, below: anchors) == ["signer", "intermediate", "beside", "root"])
        #expect(try decoded(store, ["stray", "signer"], below: anchors) == ["signer"])
    }

    /// Its key is of a kind that no rule lets issue, whatever it is called.
    @Test("is not decoded as an issuer where its key is neither RSA nor P-256")
    func decodesUsableKeysAlone() throws {
        let (store, other) = (try ReceiptStore(), try ReceiptStore(hasOwnKeys: true))
        let anchors = try TrustAnchors(files: store.der("root"))
        try other.certificate("intermediate", Self.expensive("root"))
        try store.workdir.write(other.der("intermediate"), to: "twin.der")
        #expect(
            try decoded(store, ["twin", "signer", "intermediate", "root"], below: anchors)
                == ["signer", "intermediate", "root"])
        try other.workdir.write(other.der("intermediate"), to: "twin.der")
        try store.workdir.write(other.workdir.read("intermediate.pem"), to: "twin.pem")
        let found = try verify(store.receipt(carrying: ["twin", "intermediate", "root"]), trusting: anchors)
        #expect(found.verdict == .trusted, "\(found.detail ?? "")")
    }

    @Test("is found by its key identifier as by issuer and serial number")
    func findsKeyIdentifiers() throws {
        let store = try ReceiptStore()
        let anchors = try TrustAnchors(files: store.der("root"))
        for options in [["-noattr", "-md", "sha256"], ["-noattr", "-md", "sha256", "-keyid"]] {
            let found = try verify(store.receipt(carrying: ["intermediate", "root"], options), trusting: anchors)
            #expect(found.verdict == .trusted, "\(options): \(found.detail ?? "")")
        }
    }
}
