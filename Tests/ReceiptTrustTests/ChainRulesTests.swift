import Foundation
import ReceiptFormat
import ReceiptTrust
import TestSupport
import Testing

/// Stores made by OpenSSL's tool, each with one fault.
@Suite("A chain of certificates")
struct ChainRulesTests {
    typealias Request = ReceiptStore.Request

    private func verdict(of store: ReceiptStore, carrying names: [String] = ["intermediate", "root"]) throws -> Verdict
    {
        try verify(store.receipt(carrying: names), trusting: TrustAnchors(files: store.der("root"))).verdict
    }

    private static let wrongPurposes: [(String, ReceiptStore.Request, ReceiptStore.Request)] = [
        (
            "intermediate without CA flag",
            .intermediate.replacing("basic", with: "basicConstraints=critical,CA:FALSE"),
            .signer
        ),
        ("intermediate without basic constraints", .intermediate.replacing("basic", with: nil), .signer),
        (
            "intermediate that may not sign certificates",
            .intermediate.replacing("keyUsage", with: "keyUsage=critical,digitalSignature"), .signer
        ),
        ("intermediate without marker", .intermediate.replacing("1.2.840", with: nil), .signer),
        (
            "intermediate with the signer's marker", .intermediate.replacing("1.2.840", with: Request.signerMarker),
            .signer
        ),
        ("signer without marker", .intermediate, .signer.replacing("1.2.840", with: nil)),
        (
            "signer with the intermediate's marker", .intermediate,
            .signer.replacing("1.2.840", with: Request.intermediateMarker)
        ),
        (
            "signer with a marker that only begins alike", .intermediate,
            .signer.replacing("1.2.840", with: "1.2.840.113635.100.6.11.1.1=ASN1:NULL")
        ),
        (
            "signer that may not sign content", .intermediate,
            .signer.replacing("keyUsage", with: "keyUsage=critical,keyEncipherment")
        ),
        (
            "signer with an unknown critical extension", .intermediate,
            .signer.with { $0.extensions.append("1.2.3.4.5=critical,ASN1:NULL") }
        ),
        (
            "intermediate with an unknown critical extension",
            .intermediate.with { $0.extensions.append("1.2.3.4.5=critical,ASN1:NULL") }, .signer
        ),
        (
            "both marker and strength amiss", .intermediate,
            .signer.replacing("1.2.840", with: nil).with { $0.key = ["-newkey", "rsa:1024"] }
        ),
    ]

    @Test("is of the wrong purpose where a certificate was not made for it")
    func refusesOtherPurposes() throws {
        for (what, intermediate, signer) in Self.wrongPurposes {
            let store = try ReceiptStore(intermediate: intermediate, signer: signer)
            #expect(try verdict(of: store) == .wrongPurpose, "\(what)")
        }
    }

    @Test("may lack key usage, and mark its markers critical")
    func allowsWhatIsUnsaid() throws {
        let store = try ReceiptStore(
            intermediate: .intermediate.replacing("keyUsage", with: nil)
                .replacing("1.2.840", with: "1.2.840.113635.100.6.2.1=critical,ASN1:NULL"),
            signer: .signer.replacing("keyUsage", with: nil)
                .replacing("1.2.840", with: "1.2.840.113635.100.6.11.1=critical,DER:0500"))
        #expect(try verdict(of: store) == .trusted)
    }

    @Test("keeps the path lengths that its certificates allow")
    func keepsPathLengths() throws {
        /// Root, policy authority, intermediate, signer.
        func store(rootLimit: String, upperLimit: String) throws -> ReceiptStore {
            let store = try ReceiptStore(root: Request(issuer: nil, extensions: Request.authority(rootLimit)))
            try store.certificate("upper", Request(issuer: "root", extensions: Request.authority(upperLimit)))
            try store.certificate("intermediate", .intermediate.with { $0.issuer = "upper" })
            try store.certificate("signer", .signer)
            return store
        }
        let names = ["upper", "intermediate", "root"]
        #expect(try verdict(of: store(rootLimit: "", upperLimit: ""), carrying: names) == .trusted)
        #expect(try verdict(of: store(rootLimit: ",pathlen:2", upperLimit: ",pathlen:1"), carrying: names) == .trusted)
        #expect(try verdict(of: store(rootLimit: "", upperLimit: ",pathlen:0"), carrying: names) == .wrongPurpose)
        #expect(try verdict(of: store(rootLimit: ",pathlen:1", upperLimit: ""), carrying: names) == .wrongPurpose)
    }

    @Test("has an intermediate between signer and root")
    func demandsIntermediate() throws {
        let signer = Request.signer.with {
            $0.issuer = "root"
            $0.serial = "9"
        }
        let store = try ReceiptStore(intermediate: nil, signer: signer)
        #expect(try verdict(of: store, carrying: ["root"]) == .wrongPurpose)
        let marked = try ReceiptStore(
            root: .root.with { $0.extensions.append(Request.intermediateMarker) }, intermediate: nil, signer: signer)
        #expect(try verdict(of: marked, carrying: ["root"]) == .wrongPurpose)
    }

    @Test("needs no markers below a root that waives them, and keeps all other rules")
    func waivesMarkers() throws {
        func verdict(_ store: ReceiptStore, below anchor: String = "root") throws -> Verdict {
            var anchors = try TrustAnchors(files: store.der(anchor))
            anchors.waiveMarkers()
            return try verify(store.receipt(), trusting: anchors).verdict
        }
        let unmarked = try ReceiptStore(
            intermediate: .intermediate.replacing("1.2.840", with: nil),
            signer: .signer.replacing("1.2.840", with: nil))
        #expect(try verdict(unmarked) == .trusted)
        #expect(try self.verdict(of: unmarked) == .wrongPurpose)
        // An anchor that another has issued, as Apple's intermediates are.
        #expect(try verdict(unmarked, below: "intermediate") == .wrongPurpose)
        let noAuthority = try ReceiptStore(
            intermediate: .intermediate.replacing("basic", with: "basicConstraints=critical,CA:FALSE"))
        #expect(try verdict(noAuthority) == .wrongPurpose)
    }

    @Test("is a pinned signer alone, or ends at one")
    func trustsPinnedSigners() throws {
        let alone = Request(issuer: nil, extensions: ["keyUsage=critical,digitalSignature"])
        let local = try ReceiptStore(intermediate: nil, signer: alone)
        let receipt = try local.receipt(carrying: [])
        #expect(try verify(receipt, trusting: TrustAnchors(files: local.der("signer"))).verdict == .trusted)
        #expect(try verify(receipt, trusting: TrustAnchors(files: local.der("root"))).verdict == .untrustedRoot)
        let store = try ReceiptStore()
        let pinned = try verify(store.receipt(carrying: []), trusting: TrustAnchors(files: store.der("signer")))
        #expect(pinned.verdict == .trusted)
    }

    @Test("is unsupported where a key is short or a digest weak, but for the anchor's own signature")
    func refusesWeakness() throws {
        let short = ["-newkey", "rsa:1024"]
        #expect(try verdict(of: ReceiptStore(signer: .signer.with { $0.key = short })) == .unsupportedAlgorithm)
        #expect(
            try verdict(of: ReceiptStore(intermediate: .intermediate.with { $0.key = short })) == .unsupportedAlgorithm)
        #expect(try verdict(of: ReceiptStore(root: .root.with { $0.key = short })) == .unsupportedAlgorithm)
        let odd = ["-newkey", "rsa:2047"]
        #expect(try verdict(of: ReceiptStore(signer: .signer.with { $0.key = odd })) == .unsupportedAlgorithm)
        let hashed = Request.signer.with { $0.digest = "-md5" }
        #expect(try verdict(of: ReceiptStore(signer: hashed)) == .unsupportedAlgorithm)
        for digest in ["-sha1", "-sha384", "-sha512"] {
            let other = Request.signer.with { $0.digest = digest }
            #expect(try verdict(of: ReceiptStore(signer: other)) == .trusted, "\(digest)")
        }
        #expect(try verdict(of: ReceiptStore(root: .root.with { $0.digest = "-md5" })) == .trusted)
    }

    @Test("is verified at the receipt's creation date, to the second")
    func verifiesDates() throws {
        let store = try ReceiptStore()
        let anchors = try TrustAnchors(files: store.der("root"))
        func verdict(at date: Date?) throws -> Verdict {
            try verify(store.receipt(ReceiptStore.payload(createdAt: date)), trusting: anchors).verdict
        }
        #expect(try verdict(at: nil) == .notValidAtCreation)
        #expect(try verdict(at: Date() - 3600) == .notValidAtCreation)
        #expect(try verdict(at: Date() + 2 * 86_400) == .notValidAtCreation)
        #expect(try verdict(at: Date() + 3600) == .trusted)
        // OpenSSL writes the dates of the certificate that was made last and runs out last.
        func date(_ option: String, of name: String) throws -> Date {
            let text = try #require(
                try store.workdir.openssl("x509", "-in", "\(name).pem", "-noout", option, "-dateopt", "iso_8601"))
            let stamp = try #require(text.split(separator: "=").last).split(whereSeparator: \.isWhitespace)
            return try Date.ISO8601FormatStyle().parse(stamp.joined(separator: "T"))
        }
        let (from, until) = (try date("-startdate", of: "signer"), try date("-enddate", of: "root"))
        #expect(try verdict(at: from) == .trusted)
        #expect(try verdict(at: from - 1) == .notValidAtCreation)
        #expect(try verdict(at: until) == .trusted)
        #expect(try verdict(at: until + 1) == .notValidAtCreation)
    }
}
