internal import MillBytes
internal import ReceiptFormat

/// Everything in a container that decides its chain: the contained certificates, and the name of the signer's
/// certificate.
///
/// ``CertificateChain`` is computed from this input alone, and ``ChainCache`` uses the whole input as its key, so that
/// nothing which decides a chain can be missing from the key.
struct ChainInput: Equatable {
    /// The name of the signer's certificate. Its two kinds are distinguished, because the bytes of one could be chosen
    /// to equal the bytes of the other.
    enum SignerName: Equatable {
        /// The issuer's name, a whole DER element, and the content of the serial number.
        case issuerAndSerialNumber(issuer: [UInt8], serialNumber: [UInt8])
        /// The content of the subject key identifier.
        case subjectKeyIdentifier([UInt8])
    }

    /// The certificates, one after another as in the container.
    let certificates: [UInt8]
    let signerName: SignerName

    init(of container: Container, in bytes: Span<UInt8>) {
        func copy(_ range: ByteRange) -> [UInt8] {
            bytes.extracting(range.indices).withUnsafeBufferPointer { Array($0) }
        }
        certificates = copy(container.certificates)
        switch container.signer.identifier {
        case .issuerAndSerialNumber(let issuer, let serialNumber):
            signerName = .issuerAndSerialNumber(issuer: copy(issuer), serialNumber: copy(serialNumber))
        case .subjectKeyIdentifier(let identifier): signerName = .subjectKeyIdentifier(copy(identifier))
        }
    }

    /// Whether this input equals that of a container, compared without copying the container's
    /// bytes.
    func isThat(of container: Container, in bytes: Span<UInt8>) -> Bool {
        guard Self.equal(bytes, container.certificates, certificates) else { return false }
        switch (container.signer.identifier, signerName) {
        case (.issuerAndSerialNumber(let issuer, let serial), .issuerAndSerialNumber(let ownIssuer, let ownSerial)):
            return Self.equal(bytes, issuer, ownIssuer) && Self.equal(bytes, serial, ownSerial)
        case (.subjectKeyIdentifier(let identifier), .subjectKeyIdentifier(let own)):
            return Self.equal(bytes, identifier, own)
        case (.issuerAndSerialNumber, .subjectKeyIdentifier), (.subjectKeyIdentifier, .issuerAndSerialNumber):
            return false
        }
    }

    private static func equal(_ bytes: Span<UInt8>, _ range: ByteRange, _ own: [UInt8]) -> Bool {
        ByteSearch.isEqual(bytes, range.indices, own)
    }
}
