import ReceiptArchive
import ReceiptVerification

#if FUZZING || DEBUG
    import Foundation
    @testable import MillSystem
    @testable import ReceiptArchive
    @testable import ReceiptFormat
    @testable import ReceiptTrust
    @testable import ReceiptVerification
    @testable import SignedDataFormat

    extension FuzzTarget {
        /// A header's JSON: read, and its certificates verified with each of them as anchor.
        func judgeHeader(_ bytes: [UInt8]) {
            let text = Array(Self.base64URL(bytes).utf8)
            guard let header = try? SignedHeader(decoding: text.span, in: ByteRange(offset: 0, count: text.count))
            else {
                return
            }
            let certificates = header.certificates ?? []
            precondition(certificates.count <= SignedDataLimits.certificates + 1)
            var anchors = TrustAnchors()
            for certificate in certificates {
                if let certificate { _ = try? anchors.insertCertificates(of: certificate) }
            }
            guard let digest = try? MessageDigest(), let verifier = try? SignedDataVerifier(anchors: anchors),
                let signer = try? verifier.signer(of: header),
                let message = try? digest.sha256(bytes.span, in: bytes.indices)
            else { return }
            if case .readable = signer.key {
                precondition(header.algorithm == "ES256" && !header.hasCriticalExtensions)
                precondition(certificates.allSatisfy { $0 != nil })
                if let decoded = try? DecodedAnchors(anchors, digest: digest),
                    case .anchored(let validities) = signer.chain(anchors: decoded)
                {
                    precondition(!validities.isEmpty)
                }
            }
            let signature = [UInt8](repeating: 1, count: ES256Signature.size)
            for range in [nil, ByteRange(offset: 0, count: 63), ByteRange(offset: 0, count: 64)] {
                let found = try? verifier.verify(
                    range, in: signature.span, of: message, by: signer, signedAt: 1_730_000_000_000)
                precondition(found?.verdict != .trusted && found?.detail != nil)
            }
        }

        /// A payload's JSON says the same wherever it stands in a buffer.
        func readSignedPayload(_ bytes: [UInt8]) {
            let first = Self.read(bytes, behind: [])
            let second = Self.read(bytes, behind: Array("{\"before".utf8))
            precondition(first == second, "read differently in another buffer")
            // White space around changes nothing.
            precondition(Self.read(Array(" \n".utf8) + bytes + Array("\t".utf8), behind: []) == first)
        }

        /// What a payload says; nil where it can't be read.
        private struct Reading: Equatable {
            var payload: SignedPayload
            var texts: [[UInt8]] = []
            var parts: [[UInt8]] = []
        }

        private static func read(_ bytes: [UInt8], behind start: [UInt8]) -> Reading? {
            var buffer = start + bytes
            let json = ByteRange(offset: start.count, count: bytes.count)
            guard let parsed = try? SignedPayloadParser.parse(buffer.span, in: json) else { return nil }
            buffer += parsed.appended
            var payload = parsed.payload
            precondition((payload.purchase(in: buffer.span) != nil) == (payload.kind == .signedTransaction))
            var reading = Reading(payload: payload)
            func text(_ range: ByteRange) -> [UInt8] {
                precondition(range.offset >= start.count && range.end <= buffer.count)
                let text = Array(buffer[range.indices])
                precondition(!text.isEmpty && String(validating: text, as: UTF8.self) != nil)
                return text
            }
            reading.parts = payload.parts.map { text($0.text) }
            let beside = [payload[.deviceVerification], payload[.deviceVerificationNonce]].compactMap { $0 }
            reading.parts += beside.map(text)
            payload.mapTexts { _, range in
                reading.texts.append(text(range))
                return ByteRange(offset: 0, count: range.count)
            }
            (payload[.signedTransaction], payload[.signedRenewal], payload[.signedAppTransaction]) = (nil, nil, nil)
            (payload[.deviceVerification], payload[.deviceVerificationNonce]) = (nil, nil)
            reading.payload = payload
            return reading
        }

        /// Fed by one thread, as libFuzzer does: a verifier costs as much as many lines.
        nonisolated(unsafe) private static let verifier = try? LineVerifier(
            keys: LineKeys(), limits: Limits(), anchors: .apple, issuers: CertificatePool(), known: nil)

        /// Lines with signed strings, as a load verifies them under Apple's roots, which
        /// signed none of the seeds.
        func verifySignedLines(_ bytes: [UInt8]) {
            guard let verified = try? Self.verifier?.verify(LineBatch(sequence: 0, content: .lines(bytes))) else {
                return
            }
            precondition(verified.receipts.allSatisfy { $0.verification.verdict != .trusted })
            precondition(verified.receipts.count == verified.submissions.count + verified.parts.count)
            let documents =
                verified.submissions.map { [$0.line, $0.document] }
                + verified.rejections.map { [$0.line, $0.document] }
            precondition(Set(documents.map { $0[0] }) == Set(0..<verified.lineCount))
            precondition(Set(verified.submissions.map { [$0.line, $0.document] }).count == verified.submissions.count)
            let digests = Set(verified.receipts.map(\.digest))
            precondition(verified.parts.allSatisfy { digests.contains($0.holder) && digests.contains($0.document) })
            for receipt in verified.receipts {
                precondition(receipt.purchases.upperBound <= verified.purchases.count)
                precondition((receipt.app.bundleIdentifier?.end ?? 0) <= verified.bytes.count)
            }
        }

        private static func base64URL(_ bytes: [UInt8]) -> String {
            Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
    }
#endif
