#if FUZZING || DEBUG
    @testable import ReceiptFormat
    @testable import ReceiptTrust

    extension FuzzTarget {
        /// Certificates as they stand in a container, one after another: the chain
        /// of the first, and every rule, whoever signed what.
        func judgeCertificates(_ bytes: [UInt8]) {
            guard let digest = try? MessageDigest() else { return }
            var certificates: [Certificate] = []
            var reader = ByteReader(bytes.span)
            while !reader.isAtEnd, certificates.count < Container.maximumCertificates,
                let element = try? reader.readElement()
            {
                _ = try? CertificateDescription(bytes.span, in: element.whole)
                let parsed = try? Certificate(bytes.span, in: element.whole, digest: digest)
                if let certificate = parsed ?? nil { certificates.append(certificate) }
            }
            var issuers = CertificatePool()
            _ = try? issuers.insertCertificates(of: bytes)
            guard let signer = certificates.first, let last = certificates.last else { return }
            for purpose in SigningPurpose.allCases {
                for count in 1...certificates.count {
                    _ = ChainRules.brokenRule(of: Array(certificates.prefix(count)), for: purpose)
                }
            }
            _ = CertificateChain.commonValidity(of: certificates)
            // Without an anchor there is no authority, and none without the anchor itself.
            precondition(AuthoritySearch(anchors: TrustAnchors()).authorities(among: certificates, below: []).isEmpty)
            for certificate in certificates {
                var pinned = TrustAnchors()
                pinned.insert(certificate.fingerprint)
                let kept = AuthoritySearch(anchors: pinned).authorities(among: certificates, below: [])
                precondition(kept.allSatisfy(ChainRules.mayIssue) && kept.count <= certificates.count)
                precondition(kept.isEmpty || kept.contains { $0.fingerprint == certificate.fingerprint })
            }

            var anchors = TrustAnchors()
            guard let unanchored = outcome(for: signer, certificates, anchors, digest) else { return }
            precondition(unanchored.validities.isEmpty && unanchored.refusal != nil)
            anchors.insert(last.fingerprint)
            guard let anchored = outcome(for: signer, certificates, anchors, digest) else { return }
            precondition(!anchored.validities.isEmpty || anchored.refusal != nil)
            if !anchored.issuers.isEmpty {
                precondition(anchored.issuers.contains { $0.fingerprint == last.fingerprint })
            }
        }

        private func outcome(
            for signer: Certificate, _ candidates: [Certificate], _ anchors: TrustAnchors, _ digest: MessageDigest
        ) -> IssuerSearch.IssuerPaths? {
            guard let decoded = try? DecodedAnchors(anchors, digest: digest) else { return nil }
            return IssuerSearch(anchors: decoded, candidates: candidates, purpose: .appReceipts).outcome(for: signer)
        }

        /// What the seeds' signatures are over, behind their version byte.
        private static let purchaseInfo = Array("{ \"transaction-id\" = \"1\"; }".utf8)

        /// The signature of a transaction receipt, by nobody's word and by its own
        /// signer's.
        func judgeSignature(_ bytes: [UInt8]) {
            var reader = ByteReader(bytes.span)
            guard let blob = try? SignatureBlob(parsing: &reader) else { return }
            precondition(blob.certificate.end == bytes.count)
            let whole = bytes + Self.purchaseInfo
            let info = ByteRange(offset: bytes.count, count: Self.purchaseInfo.count)
            // Nearly all are no certificates, and a verifier costs as much as a hundred of those.
            guard let digest = try? MessageDigest(),
                let certificate = (try? Certificate(bytes.span, in: blob.certificate, digest: digest)) ?? nil
            else { return }
            var anchors = TrustAnchors()
            for isPinned in [false, true] {
                if isPinned { anchors.insert(certificate.fingerprint) }
                guard let verifier = try? TransactionVerifier(anchors: anchors, issuers: CertificatePool()),
                    let found = try? verifier.verify(blob, of: info, in: whole.span, purchasedAt: 1_800_000_000_000)
                else { continue }
                precondition(isPinned || found.verdict != .trusted)
                precondition((found.detail == nil) == (found.verdict == .trusted))
            }
        }
    }
#endif
